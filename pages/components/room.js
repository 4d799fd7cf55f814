// The room. What was said before stays where it is; text is only ever put in as text.
const rooms = new WeakMap();
const LISTED = 3;  // calls in view; the earlier ones open at a click
const COLUMNS = 8;  // calls in the strip of positions, the latest ones

function make(tag, name, ...inside) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const item of inside) if (item !== null && item !== undefined && item !== '') element.append(item);  // strings become text nodes
  return element;
}
function chip(person, size) {
  const element = make('span', 'chip' + (size ? ' ' + size : ''), person.initials);
  element.style.background = person.colour;
  element.setAttribute('aria-hidden', 'true');
  return element;
}
let texts = {};  // what the page says, in the reader's language
function say(key, values) { return (texts[key] || key).replace(/\{(\w+)\}/g, (whole, name) => values && name in values ? values[name] : whole); }
function number(value) { return value === null ? '' : value.toFixed(2); }

// ── transcript ──────────────────────────────────────────────────────────────────────────────
function said(row, number) {
  const head = make('div', 'name', number === false ? null : make('span', 'number', '#' + row.seq), row.person.name, make('span', 'role', row.person.role));
  const line = make('div', 'row ' + row.kind, chip(row.person),
    make('div', 'body', head, make('div', 'words', row.text), row.note ? make('div', 'note', row.note) : null));
  return line;
}
function held(one, room) {
  const shown = [one.mark + ' ' + one.stance];
  if (one.gradient !== null) shown.push(say('ballot', { gradient: one.gradient }));
  if (one.accepts !== null) shown.push(say('accepting', { p: number(one.accepts) }));
  const body = make('div', '', make('span', 'name', one.person.name), make('span', 'stance', ' · ' + shown.join(' · ')));
  if (one.condition) body.append(make('div', 'note', say('need', { condition: one.condition })));
  for (const quote of one.quotes) {
    const link = make('button', 'link', say('line', { seq: quote.seq }));
    link.type = 'button'; link.onclick = () => show(room, quote.seq);
    body.append(make('blockquote', '', one.quoted ? '“' + quote.text + '” ' : say('last') + ' “' + quote.text + '” ', link));
  }
  return make('div', 'held', chip(one.person, 'small'), body);
}
function card(row, room) {
  const call = row.call, people = call.held.length;
  const summary = make('summary', '', make('span', 'verdict', call.mark + ' ' + say(call.verdict)),
    (call.confidence === null ? '' : ' · ' + say('confidence', { p: number(call.confidence) })) + ' · ' + say('accept', { n: call.accepting, of: people }));
  const inside = make('div', 'inside',
    make('p', 'quiet', say('judged', { stage: call.stage_name, round: call.round, judge: call.judge })),
    call.proposal ? make('p', '', make('b', '', say('table') + ' '), call.proposal) : null,
    call.reason ? make('p', '', make('b', '', say('why') + ' '), call.reason) : null);
  for (const one of call.held) inside.append(held(one, room));
  return make('details', 'card ' + call.verdict, summary, inside);
}
function line(row, room) {
  let element;
  if (row.kind === 'said' || row.kind === 'passed') element = said(row);
  else if (row.kind === 'call') element = card(row, room);
  else element = make('div', row.kind, row.person ? row.text + ' · ' + row.person.name : row.text, row.note ? make('div', 'note', row.note) : null);
  element.dataset.seq = row.seq;
  return element;
}
function show(room, seq) {
  const target = room.log.querySelector('[data-seq="' + Number(seq) + '"]');
  if (!target) return;
  room.log.querySelectorAll('.found').forEach(element => element.classList.remove('found'));
  target.classList.add('found');
  if (target.tagName === 'DETAILS') target.open = true;
  room.log.scrollTop += target.getBoundingClientRect().top - room.log.getBoundingClientRect().top - 40;
  if (room.log.getBoundingClientRect().top < 0) room.log.scrollIntoView({ block: 'start' });
  room.log.focus({ preventScroll: true });
}
function atEnd(log) { return log.scrollHeight - log.scrollTop - log.clientHeight < 60; }
function toEnd(room) { room.log.scrollTop = room.log.scrollHeight; room.latest.hidden = true; }

function speak(room, voice) {
  if (!voice || voice.run !== room.run) voice = null;
  const end = atEnd(room.log);
  if (voice && voice.text) {
    if (!room.voice) {
      room.voice = said({ kind: 'said speaking', seq: -1, person: { ...voice.person, role: say('speaking') }, text: '', note: '' }, false);
      room.voice.setAttribute('aria-hidden', 'true');  // the whole turn is announced once it is said
      room.voice.dataset.name = voice.person.name;
      room.log.append(room.voice);
    }
    const head = room.voice.querySelector('.name');
    if (room.voice.dataset.name !== voice.person.name) { room.voice.remove(); room.voice = null; return speak(room, voice); }
    room.voice.querySelector('.words').replaceChildren(voice.text, make('span', 'caret'));
  } else if (room.voice) { room.voice.remove(); room.voice = null; }
  room.now.replaceChildren();
  if (voice) room.now.append(chip(voice.person, 'small'), ' ' + voice.person.name + ' ' + voice.doing);
  if (end) toEnd(room);
}

// ── beside ──────────────────────────────────────────────────────────────────────────────────
const panels = {
  outcome(data) { return data.outcome ? [make('h2', '', data.outcome.title), make('p', '', data.outcome.text)] : null; },
  calls(data, room) {
    const rows = data.rows.filter(row => row.kind === 'call').reverse();
    const parts = [make('h2', '', say('calls'))];
    if (!rows.length) parts.push(make('p', 'quiet', data.judged ? say('calls_empty') : say('no_judge')));
    const earlier = make('details', '', make('summary', 'quiet', say('earlier', { n: rows.length - LISTED })));
    earlier.dataset.key = 'earlier';
    for (const [place, row] of rows.entries()) {
      const call = row.call, button = make('button', 'callrow', make('span', 'verdict', call.mark + ' ' + say(call.verdict)),
        make('span', 'mid', say('place', { stage: call.stage_name, round: call.round })), make('span', 'count', number(call.confidence)));
      button.type = 'button'; button.dataset.key = 'call' + row.seq; button.title = say('show_call');
      button.onclick = () => show(room, row.seq);
      if (place < LISTED) parts.push(button); else earlier.append(button);
    }
    if (rows.length > LISTED) parts.push(earlier);
    if (rows.length) parts.push(make('p', 'quiet', say('sure')));
    return parts;
  },
  positions(data) {
    const calls = data.rows.filter(row => row.kind === 'call').map(row => row.call);
    const parts = [make('h2', '', say('positions'))];
    if (!calls.length) { parts.push(make('p', 'quiet', say('positions_empty'))); return parts; }
    const shown = calls.slice(-COLUMNS), table = make('table', 'strip'), head = make('tr', '');
    const corner = make('th', '', make('span', 'hidden', say('participant'))); corner.scope = 'col'; head.append(corner);
    const first = place => place > 0 && shown[place].stage !== shown[place - 1].stage ? 'first' : '';
    shown.forEach((call, place) => {
      const cell = make('th', first(place), (call.stage + 1) + '.' + call.round); cell.scope = 'col';
      cell.title = say('place', { stage: call.stage_name, round: call.round }); head.append(cell);
    });
    const rows = shown[shown.length - 1].held.map((one, who) => {
      const shape = one.mark === '▲' ? 'support' : one.mark === '◆' ? 'undecided' : 'oppose';
      const latest = make('span', shape, one.mark + ' ' + one.stance + (one.gradient === null ? '' : ' (' + say('of8', { gradient: one.gradient }) + ')'));
      const name = make('th', '', make('div', 'person', chip(one.person, 'small'), make('span', '', one.person.name, make('br'), latest)));
      name.scope = 'row';
      return make('tr', '', name, ...shown.map((call, place) => {
        const then = call.held[who], cell = make('td', first(place), make('span', '', then.mark), make('span', 'hidden', then.stance));
        cell.firstChild.setAttribute('aria-hidden', 'true'); cell.title = then.stance;
        return cell;
      }));
    });
    table.append(make('thead', '', head), make('tbody', '', ...rows));
    parts.push(table, make('p', 'quiet', say('key')));
    return parts;
  },
  coverage(data, room) {
    const found = data.coverage.view, parts = [make('h2', '', say('coverage'))];
    if (!found) { parts.push(make('p', 'quiet', data.coverage.text)); return parts; }
    parts.push(make('p', 'quiet', say('raised', { clusters: found.raised_clusters, of_clusters: found.clusters.length, n: found.raised, of: found.of, title: found.title })));
    if (found.by_chance) parts.push(make('p', 'quiet', say('by_chance', { what: found.by_chance })));
    if (data.coverage.text) parts.push(make('p', 'quiet', data.coverage.text));
    for (const cluster of found.clusters) {
      const meter = make('div', 'meter', ...cluster.criteria.map(item => make('i', item.raised ? 'on' : '')));
      meter.setAttribute('aria-hidden', 'true');
      const list = make('ul', 'criteria', ...cluster.criteria.map(item => criterion(item, data, room)));
      const box = make('details', 'cluster', make('summary', '', make('span', 'count', say('n_of', { n: cluster.raised, of: cluster.criteria.length })), cluster.name, meter), list);
      box.dataset.key = 'cluster' + cluster.name;
      parts.push(box);
    }
    if (found.unchecked) parts.push(make('p', 'quiet', say('unchecked', { n: found.unchecked, of: found.of })));
    if (found.weak) parts.push(make('p', 'quiet', say('weak')));
    return parts;
  },
  monitor(data) {
    const list = make('dl', 'figures');
    for (const [term, value] of data.monitor) list.append(make('dt', '', term), make('dd', '', value));
    return [make('h2', '', say('monitor')), list];
  },
};
function criterion(item, data, room) {
  const name = make('span', '', (item.raised ? '● ' : '○ ') + item.name + (item.doubt ? ' †' : ''));
  const element = make('li', '', name, make('span', 'note', ' · ' + (item.raised ? say('raised_in', { n: item.raised }) : say('not_raised'))));
  name.title = item.definition + (item.doubt ? ' (' + item.doubt + ')' : '');
  for (const seq of item.lines) {
    const row = data.rows.find(each => each.seq === seq);
    if (!row || !row.person) continue;
    const link = make('button', 'link', say('line', { seq })); link.type = 'button'; link.onclick = () => show(room, seq);
    element.append(make('blockquote', '', row.person.name + ': “' + row.text + '” ', link));
  }
  return element;
}
function beside(room, data) {
  for (const [name, draw] of Object.entries(panels)) {
    const shape = JSON.stringify([data[name], ['calls', 'positions', 'coverage'].includes(name) ? data.rows.length : 0]);
    if (room.shapes[name] === shape) continue;
    room.shapes[name] = shape;
    const panel = room.panels[name], open = new Set([...panel.querySelectorAll('details[open]')].map(element => element.dataset.key));
    const focused = panel.getRootNode().activeElement, key = focused && panel.contains(focused) ? (focused.closest('[data-key]') || {}).dataset?.key : null;
    const parts = draw(data, room);
    panel.hidden = parts === null;
    panel.replaceChildren(...(parts || []));
    panel.querySelectorAll('details').forEach(element => { element.open = open.has(element.dataset.key); });
    if (key) for (const element of panel.querySelectorAll('[data-key]')) if (element.dataset.key === key) (element.querySelector('summary') || element).focus();
  }
}

// ── the whole ───────────────────────────────────────────────────────────────────────────────
function build(parent, run) {
  const log = make('div', 'log'), aside = make('aside', 'aside'), now = make('span', 'now');
  log.setAttribute('role', 'log'); log.setAttribute('aria-live', 'polite'); log.setAttribute('aria-label', say('transcript')); log.tabIndex = 0;
  aside.setAttribute('aria-label', say('beside')); aside.tabIndex = 0;
  const latest = make('button', 'latest', say('latest')); latest.type = 'button'; latest.hidden = true;
  const room = { run, log, aside, now, latest, last: -1, voice: null, shapes: {}, panels: {}, state: make('span', 'state'), where: make('span', 'where'),
    question: make('p', 'question'), notice: make('div', 'notice'), columns: make('div', 'columns', make('div', 'holder', log, latest), aside) };
  for (const name of Object.keys(panels)) aside.append(room.panels[name] = make('section', 'panel ' + name));
  latest.onclick = () => toEnd(room);
  log.addEventListener('scroll', () => { if (atEnd(log)) latest.hidden = true; });
  room.notice.setAttribute('role', 'status');
  room.root = make('div', 'room', room.question, make('div', 'bar', room.state, room.where, now), room.notice, room.columns);
  parent.append(room.root);
  room.hear = event => { if (room.root.isConnected) speak(room, event.detail); else document.removeEventListener('plenary:voice', room.hear); };
  document.addEventListener('plenary:voice', room.hear);
  room.fit = () => room.root.style.setProperty('--above', Math.round(room.columns.getBoundingClientRect().top + scrolled(room.root) + (room.below || 44)) + 'px');
  window.addEventListener('resize', () => { if (room.root.isConnected) room.fit(); });
  return room;
}
function scrolled(element) {
  const main = document.querySelector('[data-testid="stMain"]');
  return main ? main.scrollTop - main.getBoundingClientRect().top : 0;
}
export default function ({ parentElement, data }) {
  texts = data.texts;
  let room = rooms.get(parentElement);
  if (!room || room.run !== data.run || room.language !== data.language || !room.root.isConnected) {
    if (room) room.root.remove();
    room = build(parentElement, data.run);
    room.language = data.language;
    rooms.set(parentElement, room);
  }
  const fresh = room.last < 0, over = fresh && data.state.name === 'finished';  // a talk that is over is read from its beginning
  const end = atEnd(room.log) && !over, before = room.last;
  room.state.className = 'state ' + data.state.name;
  if (room.state.textContent !== data.state.text) room.state.textContent = data.state.text;
  room.where.textContent = data.where; room.question.textContent = room.question.title = data.question;
  const notice = data.notice ? data.notice.title + '\n' + data.notice.text : '';
  if (room.noticed !== notice) {
    room.noticed = notice; room.notice.hidden = !notice; room.notice.className = 'notice ' + (data.notice ? data.notice.kind : '');
    room.notice.replaceChildren(...(data.notice ? [make('b', '', data.notice.title), data.notice.text ? ' ' + data.notice.text : ''] : []));
  }
  for (const row of data.rows) if (row.seq > room.last) { room.log.insertBefore(line(row, room), room.voice); room.last = row.seq; }
  beside(room, data);
  room.below = data.below;
  room.fit();
  room.latest.textContent = data.state.name === 'finished' ? say('to_end') : say('latest');
  if (end) toEnd(room); else if (room.last > before) room.latest.hidden = atEnd(room.log);
  speak(room, document.plenaryVoice);
}
