// A text that was typed and not yet analysed stays in this tab, also where the session ends before it is sent.
// It never leaves for a server by itself, it is offered to the member who typed it alone, and it ends after an hour
// (portal.js). What a tab holds is not encrypted: the browser may write it to the disk.
const draft = document.querySelector("textarea[data-draft]");

if (draft) {
  const key = `draft:${draft.dataset.draft}`;
  const said = document.querySelector("[data-restored]");
  const keep = () => {
    try {
      if (draft.value.trim()) sessionStorage.setItem(key, JSON.stringify({ text: draft.value, at: Date.now() }));
      else sessionStorage.removeItem(key);
    } catch { sessionStorage.removeItem(key); /* a text beyond what a tab may hold is not kept, nor its beginning */ }
  };
  // Another member signed in at this tab: what the one before typed is not theirs.
  for (const one of Object.keys(sessionStorage)) {
    if (one.startsWith("draft:") && one !== key) sessionStorage.removeItem(one);
  }
  // What is too old or unreadable has been dropped (portal.js).
  const before = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (before && !draft.value.trim()) {
    draft.value = before.text;
    said.hidden = false;
    draft.dispatchEvent(new Event("input", { bubbles: true }));
  }
  said.querySelector("button").addEventListener("click", () => {
    draft.value = "";
    said.hidden = true;
    draft.dispatchEvent(new Event("input", { bubbles: true }));
    draft.focus();
  });
  draft.addEventListener("input", keep);
  draft.form.addEventListener("submit", () => {
    keep();
    sessionStorage.setItem("draft-sent", "1");
  });
}
