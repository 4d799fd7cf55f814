// A page of minutes. Text is only ever put in as text; what the page says comes with the data, in the reader's language.
const drawn = new WeakMap();

function make(tag, name, ...inside) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const item of inside) if (item !== null && item !== undefined && item !== '') element.append(item);  // strings become text nodes
  return element;
}
function say(text, values) { return text.replace(/\{(\w+)\}/g, (whole, name) => name in values ? values[name] : whole); }
function chip(person, size) {
  const element = make('span', 'chip' + (size ? ' ' + size : ''), person.initials);
  element.style.background = person.colour;
  element.setAttribute('aria-hidden', 'true');
  return element;
}
function words(pieces) { return pieces.map(piece => piece.hit ? make('mark', '', piece.text) : piece.text); }
function button(label, text, name, does) {
  const element = make('button', 'do ' + name, text);
  element.type = 'button'; element.setAttribute('aria-label', label); element.onclick = does;
  return element;
}
function address(data, seq) { return '?run=' + encodeURIComponent(data.run) + '&seq=' + seq; }
async function copy(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch { /* not allowed without https: the old way */ }
  const field = make('textarea'); field.value = text; field.style.position = 'fixed'; field.style.opacity = '0';
  document.body.append(field); field.select();
  const done = document.execCommand('copy'); field.remove();
  return done;
}
function tools(line, page) {
  const { data, texts } = page, number = { seq: line.seq };
  const link = make('a', 'number', '#' + line.seq);
  link.href = address(data, line.seq); link.setAttribute('aria-label', say(texts.line, number));
  const tell = make('span', 'told'); tell.setAttribute('role', 'status');
  const copying = button(say(texts.copy_line, number), texts.copy, 'copy', async () => {
    const whole = location.origin + location.pathname + address(data, line.seq);
    tell.textContent = await copy(whole) ? texts.copied : whole;
    setTimeout(() => { tell.textContent = ''; }, 4000);
  });
  const details = line.opens ? button(say(texts.open_line, number), texts.open, 'open', () => page.open(line.seq)) : null;
  return make('span', 'tools', tell, copying, details, make('span', 'when', line.time), link);
}
function held(one, page) {
  const { data, texts } = page, shown = [one.mark + ' ' + one.stance];
  if (one.gradient !== null) shown.push(say(texts.gradient, { gradient: one.gradient }));
  if (one.accepts !== null) shown.push(say(texts.accepts, { accepts: one.accepts.toFixed(2) }));
  const body = make('div', '', make('span', 'name', one.person.name), ' · ' + shown.join(' · '));
  if (one.condition) body.append(make('div', 'note', say(texts.needs, { condition: one.condition })));
  if (one.quoted) for (const quote of one.quotes) {
    const link = make('a', '', '#' + quote.seq); link.href = address(data, quote.seq);
    body.append(make('blockquote', '', '“' + quote.text + '” ', link));
  }
  return make('div', 'held', chip(one.person, 'small'), body);
}
function card(line, page) {
  const call = line.call, { texts } = page, people = call.held.length;
  const summary = make('summary', '', make('span', 'verdict', call.mark + ' ' + call.verdict_text),
    (call.confidence === null ? '' : ' · ' + say(texts.confidence, { confidence: call.confidence.toFixed(2) }))
    + ' · ' + say(texts.accept, { n: call.accepting, of: people }) + ' · ' + line.where);
  const inside = make('div', 'inside', make('p', 'note', say(texts.judge, { judge: call.judge })),
    call.proposal ? make('p', '', make('b', '', texts.table + ' '), call.proposal) : null,
    call.reason ? make('p', '', make('b', '', texts.why + ' '), call.reason) : null);
  for (const one of call.held) inside.append(held(one, page));
  return make('div', 'called', make('details', 'card ' + call.verdict, summary, inside), tools(line, page));
}
function drawLine(line, page) {
  let element;
  if (line.call) element = card(line, page);
  else if (line.kind === 'said' || line.kind === 'passed' || line.kind === 'ballot') {
    const head = make('div', 'head', make('span', 'name', line.person.name), make('span', 'role', [line.person.role, line.where].filter(Boolean).join(' · ')), tools(line, page));
    element = make('div', 'turn', chip(line.person), make('div', 'body', head, make('div', 'words', ...words(line.text)), line.note ? make('div', 'note', line.note) : null));
  } else {
    const text = make('div', 'text', ...words(line.text), line.person ? ' · ' + line.person.name : '', line.note ? make('div', 'note', line.note) : null);
    element = make('div', 'plain', text, tools(line, page));
  }
  const item = make('li', 'line ' + line.kind, element);
  item.dataset.seq = line.seq; item.tabIndex = -1;
  return item;
}
function lead(list, seq) {
  const target = list.querySelector('[data-seq="' + Number(seq) + '"]');
  if (!target) return;
  target.classList.add('found'); target.setAttribute('aria-current', 'true');
  const fold = target.querySelector('details'); if (fold) fold.open = true;
  const there = () => { target.scrollIntoView({ block: 'center' }); };
  requestAnimationFrame(() => { there(); target.focus({ preventScroll: true }); });
  setTimeout(there, 250);  // once the page around it has settled
}
function beginsWith(lines, before) { return lines.length >= before.length && before.every((line, place) => line === lines[place]); }
export default function ({ parentElement, data, setTriggerValue }) {
  const kept = drawn.get(parentElement), lines = data.lines.map(line => JSON.stringify(line)), shown = data.run + '/' + data.shown;
  const page = kept?.page ?? {};
  Object.assign(page, { data, texts: data.texts, open: seq => setTriggerValue('open', seq) });
  const goesOn = kept?.root.isConnected && kept.language === data.texts.label && kept.shown === shown && beginsWith(lines, kept.lines);
  const root = goesOn ? kept.root : make('ol', 'minutes');
  for (const line of goesOn ? data.lines.slice(kept.lines.length) : data.lines) root.append(drawLine(line, page));
  drawn.set(parentElement, { root, lines, page, shown, language: data.texts.label });
  if (goesOn) return;  // what was opened stays open, and nothing jumps
  root.setAttribute('aria-label', data.texts.label);
  kept?.root.remove();
  parentElement.append(root);
  if (data.shown !== null) lead(root, data.shown);
  else if (kept && root.getBoundingClientRect().top < 0) root.scrollIntoView({ block: 'start' });  // another page is read from its top
}
