// Who is speaking, and the words so far: a small message of its own, so that the room isn't sent again for every word.
export default function ({ data }) {
  const voice = data.voice ? { ...data.voice, run: data.run } : null;
  document.plenaryVoice = voice;
  document.dispatchEvent(new CustomEvent('plenary:voice', { detail: voice }));
}
