// A party that is no worker: a program at the other end of a WebSocket. The bridge carries messages, and reads none.
const socket = new WebSocket(new URL(self.location.href).searchParams.get('socket'));
const channel = new BroadcastChannel('parties');
const bytes = (_, value) => (value instanceof Uint8Array ? Array.from(value) : value);
const say = (what) => socket.send(JSON.stringify(what, bytes));
channel.onmessage = ({ data }) => say({ call: 'frame', ...data });
self.onmessage = ({ data }) => say(data);
socket.onmessage = ({ data }) => {
    const said = JSON.parse(data, (_, value) => (Array.isArray(value) ? Uint8Array.from(value) : value));
    if (said.frame) channel.postMessage(said.frame);
    else self.postMessage(said);
};
socket.onclose = () => self.postMessage({ failed: 'the connection is closed' });
