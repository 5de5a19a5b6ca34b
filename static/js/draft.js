// A text that was typed and not yet analysed stays in this tab, also where the session ends before it is sent.
// It never leaves for a server by itself, it is offered to the member who typed it alone, and it ends after an hour
// (portal.js). What a tab holds is not encrypted: the browser may write it to the disk.
// A page may have several fields: `data-draft` is the member, and the page's path and the field's name tell them apart.
const drafts = [...document.querySelectorAll("textarea[data-draft]")];
const said = document.querySelector("[data-restored]");
const mine = (draft) => `draft:${draft.dataset.draft}:`;
const keyOf = (draft) => `${mine(draft)}${draft.form.getAttribute("action")}:${draft.name}`;
const keep = (draft) => {
  const key = keyOf(draft);
  try {
    if (draft.value.trim()) sessionStorage.setItem(key, JSON.stringify({ text: draft.value, at: Date.now() }));
    else sessionStorage.removeItem(key);
  } catch { sessionStorage.removeItem(key); /* a text beyond what a tab may hold is not kept, nor its beginning */ }
};

for (const draft of drafts) {
  // Another member signed in at this tab: what the one before typed is not theirs.
  for (const one of Object.keys(sessionStorage)) {
    if (one.startsWith("draft:") && !one.startsWith(mine(draft))) sessionStorage.removeItem(one);
  }
  // What is too old or unreadable has been dropped (portal.js).
  const before = JSON.parse(sessionStorage.getItem(keyOf(draft)) ?? "null");
  if (before && !draft.value.trim()) {
    draft.value = before.text;
    said.hidden = false;
    draft.dispatchEvent(new Event("input", { bubbles: true }));
  }
  draft.addEventListener("input", () => keep(draft));
}

said?.querySelector("button").addEventListener("click", () => {
  said.hidden = true;
  for (const draft of drafts) {
    draft.value = "";
    draft.dispatchEvent(new Event("input", { bubbles: true }));
  }
  drafts[0].focus();
});
drafts[0]?.form.addEventListener("submit", () => {
  drafts.forEach(keep);
  sessionStorage.setItem("draft-sent", drafts[0].form.getAttribute("action"));
});
