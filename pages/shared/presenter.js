// Hears the keys that clickers send and tells the page which way to move.

const listeners = new WeakMap();

export default function ({ parentElement, setTriggerValue }) {
  listeners.get(parentElement)?.abort();
  const controller = new AbortController();
  listeners.set(parentElement, controller);
  document.addEventListener(
    "keydown",
    (event) => {
      // The component may have been taken away without its cleanup being run: then this listener is nobody's.
      if (!parentElement.isConnected) return controller.abort();
      if (event.key !== "PageDown" && event.key !== "PageUp") return;
      // A slider or a switch that was used last still has the focus: the clicker moves on all the same.
      if (event.target.closest?.("textarea, [contenteditable]")) return;
      event.preventDefault();
      event.stopPropagation();
      setTriggerValue("move", event.key === "PageDown" ? 1 : -1);
    },
    { capture: true, signal: controller.signal },
  );
}
