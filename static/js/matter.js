// Several files: each is sent by itself as soon as it is chosen, so that its row shows how far it is. Their names
// stay in this tab: what is sent is called by its kind alone.
const NAMES = "file-names";
const ORDER = "file-names-order";
const names = () => { try { return JSON.parse(sessionStorage.getItem(NAMES) || "{}"); } catch { return {}; } };
const remember = (ref, name) => {
  const known = { ...names(), [ref]: name };
  try { sessionStorage.setItem(NAMES, JSON.stringify(Object.fromEntries(Object.entries(known).slice(-200)))); } catch { /* kinds are shown */ }
};
const call = (row) => {
  const name = names()[row.dataset.ref] || names()[row.dataset.job];
  if (!name) return;
  row.querySelector("[data-name]").textContent = name;
};

const form = document.querySelector("form[data-matter]");
if (form) {
  const list = form.querySelector("[data-files]");
  const said = form.querySelector("[data-said]");
  const total = form.querySelector("[data-total]");
  const input = form.querySelector("#files");
  const folder = form.querySelector("[data-folder]");
  const drop = form.querySelector("[data-drop]");
  const send = form.querySelector("[data-send]");
  const words = list.dataset;
  const queue = [];
  let busy = 0;

  const count = () => {
    const rows = [...list.querySelectorAll("[data-ref]")];
    const pending = list.querySelectorAll("[data-pending]").length;
    list.hidden = list.children.length === 0;
    send.disabled = pending > 0;
    const mode = form.querySelector("input[name=mode]:checked");
    const prices = JSON.parse(mode.closest(".choice").querySelector("[data-prices]").dataset.prices);
    const units = rows.reduce((sum, row) => sum + Number(row.dataset.units), 0);
    total.hidden = rows.length === 0;
    // Credits grow by what a unit costs; the words of the list know their plural.
    const each = Number.parseInt(prices[0], 10);
    const price = prices[units - 1] || prices[prices.length - 1].replace(/\d+/, String(each * units));
    total.textContent = total.dataset.words.replace("{files}", rows.length).replace("{price}", price);
    const all = rows.length + pending;
    if (all) said.textContent = words.done.replace("{n}", rows.length).replace("{all}", all);
  };
  const put = (row) => {
    for (const element of row.querySelectorAll("[data-script]")) element.hidden = false;
    const button = row.querySelector("[data-remove]");
    button?.addEventListener("click", () => {
      const next = row.nextElementSibling || row.previousElementSibling;
      row.remove();
      (next?.querySelector("[data-remove]") || input).focus();
      count();
    });
    const name = row.querySelector("[data-name]").textContent;
    const of = row.querySelector("[data-of]");
    if (of) of.textContent = ` ${name}`;
  };
  const waiting = (name) => {
    const row = document.createElement("li");
    row.className = "filerow";
    row.dataset.pending = "";
    const icon = document.createElement("span");
    icon.className = "pulse";
    const body = document.createElement("div");
    const bold = document.createElement("b");
    bold.textContent = name;
    const state = document.createElement("p");
    state.textContent = words.waiting;
    const bar = document.createElement("progress");
    bar.className = "meter meter--wide";
    bar.max = 100;
    bar.value = 0;
    bar.setAttribute("aria-label", name);
    body.append(bold, state, bar);
    row.append(icon, body);
    list.append(row);
    return { row, state, bar };
  };
  const next = () => {
    if (busy >= 2 || !queue.length) return;
    busy += 1;
    const { file, shown } = queue.shift();
    const body = new FormData();
    body.append("csrf_token", form.elements.csrf_token.value);
    body.append("key", form.elements.key ? form.elements.key.value : "");
    const kind = /\.[A-Za-z0-9]{1,8}$/.exec(file.name);
    body.append("file", file, `document${kind ? kind[0].toLowerCase() : ""}`);
    const request = new XMLHttpRequest();
    request.open("POST", form.dataset.upload);
    request.upload.addEventListener("progress", (event) => {
      if (!event.lengthComputable) return;
      const share = Math.round((100 * event.loaded) / event.total);
      shown.bar.value = share;
      shown.state.textContent = words.uploading.replace("{n}", share);
    });
    request.upload.addEventListener("load", () => {
      shown.bar.removeAttribute("value");
      shown.state.textContent = words.reading;
    });
    const over = (html) => {
      busy -= 1;
      if (html) {
        const made = document.createElement("template");
        made.innerHTML = html;
        const row = made.content.querySelector("[data-file]");
        row.querySelector("[data-name]").textContent = file.name;
        if (row.dataset.ref) remember(row.dataset.ref, file.name);
        shown.row.replaceWith(row);
        put(row);
      } else {
        shown.state.textContent = words.failed;
        shown.bar.remove();
        delete shown.row.dataset.pending;
      }
      count();
      next();
    };
    request.addEventListener("load", () => over(request.status === 200 ? request.responseText : ""));
    request.addEventListener("error", () => over(""));
    request.send(body);
    next();
  };
  const take = (files) => {
    const room = Number(form.dataset.most) - list.children.length;
    const chosen = [...files].filter((file) => file.size && !file.name.startsWith("."));
    for (const file of chosen.slice(0, room)) queue.push({ file, shown: waiting(file.name) });
    count();
    if (chosen.length > room) said.textContent = words.toomany;
    next();
  };
  // The files of a folder that is dropped, at any depth.
  const entries = async (entry) => {
    if (entry.isFile) return [await new Promise((done, fail) => entry.file(done, fail))];
    const reader = entry.createReader();
    const found = [];
    for (;;) {
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!some.length) return found;
      for (const one of some) found.push(...(await entries(one)));
    }
  };
  input.addEventListener("change", () => { take(input.files); input.value = ""; });
  folder.addEventListener("change", () => { take(folder.files); folder.value = ""; });
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("drop--over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("drop--over"));
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("drop--over");
    const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!items.length) return take(event.dataTransfer.files);
    const found = [];
    for (const item of items) found.push(...(await entries(item)));
    take(found);
  });
  form.addEventListener("change", (event) => { if (event.target.name === "mode") count(); });
  // What was read belongs to the key that it was read for.
  form.elements.key?.addEventListener("change", () => {
    for (const row of list.querySelectorAll("[data-ref]")) row.remove();
    count();
  });
  // Jobs come in the order of the files: the page of the matter calls them so.
  form.addEventListener("submit", () => {
    const order = [...list.querySelectorAll("[data-ref]")].map((row) => names()[row.dataset.ref] || "");
    try { sessionStorage.setItem(ORDER, JSON.stringify(order)); } catch { /* numbers are shown */ }
  });
  for (const row of list.querySelectorAll("[data-file]")) { call(row); put(row); }
  count();
}

const matter = () => {
  const rows = [...document.querySelectorAll("#matter [data-job]")];
  const order = JSON.parse(sessionStorage.getItem(ORDER) || "[]");
  if (rows.length && order.length === rows.length) rows.forEach((row, at) => order[at] && remember(row.dataset.job, order[at]));
  if (rows.length) sessionStorage.removeItem(ORDER);
  for (const row of rows) call(row);
};
matter();
addEventListener("htmx:afterSwap", matter);
