// A party that is no worker: a program at the other end of a WebSocket, on the machine that the page comes from. The bridge gives it what
// is for everybody or for party 3, and nothing else: messages for others hold shares of secrets. What it says is said by party 3.
const ME = 3;
const address = new URL(new URL(self.location.href).searchParams.get('socket'));
if (address.hostname !== self.location.hostname) throw new Error(`the page trusts no program at ${address.hostname}`);
const socket = new WebSocket(address);
const channel = new BroadcastChannel('parties');
const bytes = (_, value) => (value instanceof Uint8Array ? Array.from(value) : value);
const say = (what) => socket.send(JSON.stringify(what, bytes));
channel.onmessage = ({ data: { run, sender, recipient, bytes: frame } }) => {
    if ((recipient ?? ME) === ME) say({ call: 'frame', run, sender, recipient, bytes: frame });
};
self.onmessage = ({ data }) => say(data);
socket.onmessage = ({ data }) => {
    const said = JSON.parse(data, (_, value) => (Array.isArray(value) ? Uint8Array.from(value) : value));
    if (said.frame) channel.postMessage({ ...said.frame, sender: ME });
    else self.postMessage(said);
};
socket.onclose = () => self.postMessage({ failed: 'the connection is closed' });
