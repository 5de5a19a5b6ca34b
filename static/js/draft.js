// A text that was typed and not yet analysed stays in this tab, also where the session ends before it is sent.
// It never leaves for a server by itself, and it is offered to the member who typed it alone.
const draft = document.querySelector("textarea[data-draft]");

if (draft) {
  const key = `draft:${draft.dataset.draft}`;
  const said = document.querySelector("[data-restored]");
  const keep = () => {
    try {
      if (draft.value.trim()) sessionStorage.setItem(key, draft.value);
      else sessionStorage.removeItem(key);
    } catch { /* a text beyond what a tab may hold is not kept */ }
  };
  const before = sessionStorage.getItem(key);
  if (before && !draft.value.trim()) {
    draft.value = before;
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
  draft.form.addEventListener("submit", keep);
}
