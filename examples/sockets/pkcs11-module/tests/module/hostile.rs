//! Daemons that go away or lie, forks, threads, and more sessions than there are.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cryptoki_sys::*;
use sockets_backend::Limits;
use sockets_pkcs11_wire::{Answer, Description, KeyInfo, Reason, Scheme};
use sockets_testkit::{Folder, mutations};

use crate::call;
use crate::client::Module;
use crate::served::Served;

#[test]
fn daemon_that_starts_again_finds_sessions_and_login() {
    let mut served = Served::start(Some(b"1234"));
    let module = served.module();
    let session = module.open();
    assert_eq!(module.login(session, b"1234"), CKR_OK);
    let key = module.private(session, "ed25519");
    served.stop();
    assert_eq!(module.sign(session, CKM_EDDSA, key, b"hello"), Err(CKR_DEVICE_REMOVED));
    assert_eq!(module.find(session, &[]), Err(CKR_DEVICE_REMOVED));
    let mut info = CK_TOKEN_INFO::default();
    assert_eq!(call!(module, C_GetTokenInfo, 0, &raw mut info), CKR_TOKEN_NOT_PRESENT);
    let mut count = 9;
    let null = std::ptr::null_mut();
    assert_eq!(call!(module, C_GetSlotList, CK_TRUE, null, &raw mut count), CKR_OK);
    assert_eq!(count, 0);
    served.again(Some(b"1234"), Limits::default());
    assert!(module.sign(session, CKM_EDDSA, key, b"hello").is_ok());
}

/// A daemon that does something with each connection.
fn daemon(folder: &Folder, act: impl Fn(usize, std::os::unix::net::UnixStream) + Send + 'static) {
    let listener = UnixListener::bind(folder.join("socket")).unwrap();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            act(number, stream.unwrap());
        }
    });
}

/// Reads a request.
fn request(stream: &mut std::os::unix::net::UnixStream) {
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut body = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut body).unwrap();
}

fn description() -> Answer {
    let (scheme, name) = (Scheme::Ed25519, "key".to_owned());
    let key = KeyInfo { id: [1; 32], scheme, signs_digests: false, name, public_key: vec![2; 32] };
    let (label, keys) = ("lies".to_owned(), vec![key]);
    Answer::Description(Description { label, needs_login: false, makes_keys: false, keys })
}

/// Every damaged answer is an error, or another whole answer; none ends the program.
#[test]
fn damaged_answers_are_errors_of_the_device() {
    let folder = Folder::new();
    let good = [Answer::Wait(1).to_frame(), description().to_frame()].concat();
    let damaged: Vec<_> = mutations(&good).step_by(3).collect();
    let tries = damaged.len();
    daemon(&folder, move |number, mut stream| {
        request(&mut stream);
        let bytes = damaged.get(number).unwrap_or(&good);
        stream.write_all(bytes).ok();
    });
    let module = Module::start(&folder, &folder.join("socket"));
    let session = module.open();
    let mut errors = 0;
    for _ in 0..tries {
        match module.find(session, &[]) {
            Ok(found) => assert!(found.len() <= 2),
            Err(CKR_DEVICE_ERROR | CKR_GENERAL_ERROR) => errors += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(errors > 100, "{errors}");
}

#[test]
fn signature_that_does_not_verify_is_not_handed_out() {
    let folder = Folder::new();
    daemon(&folder, |number, mut stream| {
        request(&mut stream);
        let answers = match number {
            0 => vec![Answer::Wait(1), description()],
            // A wrong signature; one that is too short; another answer; none; a second pause; an answer at once.
            1 => vec![Answer::Wait(1), Answer::Signature(vec![7; 64])],
            2 => vec![Answer::Wait(1), Answer::Signature(vec![7; 63])],
            3 => vec![Answer::Wait(1), description()],
            4 => vec![Answer::Wait(1)],
            5 => vec![Answer::Wait(1), Answer::Wait(1)],
            _ => vec![Answer::Failed(Reason::Refused)],
        };
        for answer in answers {
            stream.write_all(&answer.to_frame()).unwrap();
        }
    });
    let module = Module::start(&folder, &folder.join("socket"));
    let session = module.open();
    let key = module.private(session, "key");
    let errors = [
        CKR_DEVICE_ERROR,
        CKR_GENERAL_ERROR,
        CKR_GENERAL_ERROR,
        CKR_DEVICE_ERROR,
        CKR_DEVICE_ERROR,
        CKR_FUNCTION_REJECTED,
    ];
    for error in errors {
        assert_eq!(module.sign(session, CKM_EDDSA, key, b"hello"), Err(error));
    }
}

/// A daemon that has too many connections closes them before it reads; the module asks again.
#[test]
fn request_that_has_not_begun_is_sent_again() {
    let folder = Folder::new();
    daemon(&folder, |number, mut stream| {
        if number < 5 {
            return;
        }
        request(&mut stream);
        let answers = [Answer::Wait(1), description()];
        answers.iter().for_each(|answer| stream.write_all(&answer.to_frame()).unwrap());
    });
    let module = Module::start(&folder, &folder.join("socket"));
    assert_eq!(module.find(module.open(), &[]).unwrap().len(), 2);
}

#[test]
fn daemon_that_is_silent_is_given_up() {
    let folder = Folder::new();
    daemon(&folder, |_, mut stream| {
        request(&mut stream);
        stream.write_all(&Answer::Wait(0).to_frame()).unwrap();
        thread::sleep(Duration::from_secs(60));
    });
    let module = Module::start(&folder, &folder.join("socket"));
    let (session, since) = (module.open(), Instant::now());
    assert_eq!(module.find(session, &[]), Err(CKR_DEVICE_ERROR));
    assert!((9..20).contains(&since.elapsed().as_secs()), "{:?}", since.elapsed());
}

#[test]
fn sixty_four_threads_sign_at_once() {
    let mut served = Served::start(Some(b"1234"));
    served.stop();
    // Fewer connections than threads: some have to ask again.
    served.again(Some(b"1234"), Limits { connections: 32, ..Limits::default() });
    let module = served.module();
    let first = module.open();
    assert_eq!(module.login(first, b"1234"), CKR_OK);
    let (key, public) = (module.private(first, "ed25519"), module.public(first, "ed25519"));
    thread::scope(|scope| {
        for number in 0..64_u8 {
            let module = &module;
            scope.spawn(move || {
                let session = module.open();
                for round in 0..8 {
                    let message = [number, round];
                    let made = module.sign(session, CKM_EDDSA, key, &message).unwrap();
                    let verified = module.verify(session, CKM_EDDSA, public, &message, &made);
                    assert_eq!(verified, CKR_OK);
                }
                assert_eq!(call!(module, C_CloseSession, session), CKR_OK);
            });
        }
    });
    assert_eq!(served.local.signed(), 64 * 8);
}

#[test]
fn sessions_beyond_the_limit_are_refused() {
    let served = Served::start(None);
    let module = served.module();
    let sessions: Vec<_> = (0..4096).map(|_| module.open()).collect();
    assert_eq!(module.try_open(), Err(CKR_SESSION_COUNT));
    assert_eq!(call!(module, C_CloseSession, sessions[1000]), CKR_OK);
    // A handle is not given twice.
    let again = module.open();
    assert!(!sessions.contains(&again));
    let key = module.private(again, "ed25519");
    assert!(module.sign(again, CKM_EDDSA, key, b"hello").is_ok());
    assert_eq!(call!(module, C_CloseAllSessions, 0), CKR_OK);
    assert_eq!(module.find(again, &[]), Err(CKR_SESSION_HANDLE_INVALID));
}

/// Children sign with the session and the login of their parent, while its threads sign, too.
#[test]
fn forked_children_go_on_with_sessions_and_login() {
    let served = Served::start(Some(b"1234"));
    let module = served.module();
    let session = module.open();
    assert_eq!(module.login(session, b"1234"), CKR_OK);
    let key = module.private(session, "ed25519");
    let (end, made) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for number in 0..4_u8 {
            let (module, end, made) = (&module, &end, &made);
            scope.spawn(move || {
                let own = module.open();
                while !end.load(Ordering::Relaxed) {
                    module.sign(own, CKM_EDDSA, key, &[number]).unwrap();
                    made.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let children: Vec<_> =
            (0..24_u8).map(|number| fork(|| child(&module, session, key, number))).collect();
        for child in children {
            assert_eq!(wait(child), 0);
        }
        end.store(true, Ordering::Relaxed);
    });
    assert!(made.load(Ordering::Relaxed) > 4);
    assert!(module.sign(session, CKM_EDDSA, key, b"the parent").is_ok());
}

/// The work of a child: zero, or the number of the step that failed. The first step takes a child whose parent's thread had
/// the lock in account: it begins anew, and the others find the state of the parent.
fn child(module: &Module, session: CK_SESSION_HANDLE, key: CK_OBJECT_HANDLE, number: u8) -> i32 {
    let mut info = CK_SESSION_INFO::default();
    match call!(module, C_GetSessionInfo, session, &raw mut info) {
        CKR_OK => {}
        CKR_CRYPTOKI_NOT_INITIALIZED => return 0,
        _ => return 1,
    }
    for round in 0..3 {
        if module.sign(session, CKM_EDDSA, key, &[100, number, round]).is_err() {
            return 2;
        }
    }
    let own = match module.try_open() {
        Ok(own) => own,
        Err(_) => return 3,
    };
    if module.login(own, b"1234") != CKR_USER_ALREADY_LOGGED_IN {
        return 4;
    }
    // A child may initialise the library, and begins anew.
    if call!(module, C_Initialize, std::ptr::null_mut()) != CKR_OK {
        return 5;
    }
    if call!(module, C_Initialize, std::ptr::null_mut()) != CKR_CRYPTOKI_ALREADY_INITIALIZED {
        return 6;
    }
    match call!(module, C_GetSessionInfo, session, &raw mut info) {
        CKR_SESSION_HANDLE_INVALID => 0,
        _ => 7,
    }
}

fn fork(work: impl FnOnce() -> i32) -> libc::pid_t {
    match unsafe { libc::fork() } {
        0 => unsafe { libc::_exit(work()) },
        child if child > 0 => child,
        _ => panic!("no child"),
    }
}

/// The exit code of a child.
fn wait(child: libc::pid_t) -> i32 {
    let mut status = 0;
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status), "{status}");
    libc::WEXITSTATUS(status)
}

/// A daemon that is stopped, or hangs: the kernel keeps the connections for it, up to a number.
#[test]
fn daemon_that_accepts_no_connection_is_given_up() {
    use socket2::{Domain, SockAddr, Socket, Type};
    let folder = Folder::new();
    let stream = || Socket::new(Domain::UNIX, Type::STREAM, None).unwrap();
    let (address, listener) = (SockAddr::unix(folder.join("socket")).unwrap(), stream());
    listener.bind(&address).unwrap();
    listener.listen(0).unwrap();
    let connected = || {
        let client = stream();
        client.set_nonblocking(true).unwrap();
        client.connect(&address).is_ok().then_some(client)
    };
    let _waiting: Vec<_> = std::iter::from_fn(connected).collect();
    let module = Module::start(&folder, &folder.join("socket"));
    let session = module.open();
    let since = Instant::now();
    assert_eq!(module.find(session, &[]), Err(CKR_DEVICE_ERROR));
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
}
