/* One stream of events for all tabs of a browser, which allows a server few connections: the tab that holds
   the lock listens, and passes on what it hears. When it goes, or its stream ends, another takes its place. */
const KINDS = ["decisions", "remark", "agreement", "reload"];

export function listen(store, hear) {
  const shared = navigator.locks && window.BroadcastChannel ? new BroadcastChannel("accord:events:" + store) : null;
  const tell = (kind, content) => { hear(kind, content); if (shared) shared.postMessage([kind, content]); };
  const open = (over) => {
    const events = new EventSource("/api/events");
    for (const kind of KINDS) events.addEventListener(kind, (event) => tell(kind, JSON.parse(event.data)));
    events.onerror = () => { if (events.readyState === EventSource.CLOSED) over(); };
  };
  if (!shared) { open(() => {}); return; }
  shared.onmessage = ({ data: [kind, content] }) => hear(kind, content);
  const lead = async () => {
    await navigator.locks.request("accord:events:" + store, () => new Promise(open));
    setTimeout(lead, 5000);
  };
  lead();
}
