// Tells which seat of a class this tab had before it was loaded anew, and keeps the one that it gets until the tab is closed.

export default function ({ data, setTriggerValue }) {
  const name = `privacy-at-risk-class-${data.code}`;
  try {
    if (data.keep) sessionStorage.setItem(name, data.keep);
    else setTriggerValue("held", sessionStorage.getItem(name) ?? "");
  } catch {
    if (!data.keep) setTriggerValue("held", ""); // a browser that keeps nothing: a new seat then
  }
}
