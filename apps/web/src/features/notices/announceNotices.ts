import { useSyncExternalStore } from 'react';
import { readStored, subscribeStored, writeStored } from '../../lib/devicePreferences.ts';

const KEYS = { sound: 'notice-sound', browser: 'notice-browser' } as const;
type Way = keyof typeof KEYS;
const ON = 'on';

/** Off by default and set per device. */
export function useAnnounced(way: Way): boolean {
  return useSyncExternalStore(subscribeStored, () => readStored(KEYS[way]) === ON);
}

/** Asks the browser for permission first. False if it refuses. */
export async function setAnnounced(way: Way, on: boolean): Promise<boolean> {
  if (way === 'browser' && on && (await Notification.requestPermission()) !== 'granted') return false;
  writeStored(KEYS[way], on ? ON : null);
  return true;
}

export interface Announced {
  readonly code: string;
  readonly key: string;
  readonly title: string;
  readonly detail?: string | undefined;
}

export function announce(notices: readonly Announced[]): void {
  const [first] = notices;
  if (!first) return;
  if (readStored(KEYS.sound) === ON) playSound();
  if (readStored(KEYS.browser) === ON && 'Notification' in window && Notification.permission === 'granted')
    new Notification(first.title, {
      body: [first.key, first.detail].filter((part) => part !== undefined && part !== '').join('. '),
      tag: first.code,
    });
}

const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.15;
const VOLUME = 0.1;

/** Silent before the page is used, as browsers require. */
function playSound(): void {
  const audio = new AudioContext();
  const gain = audio.createGain();
  gain.gain.value = VOLUME;
  gain.connect(audio.destination);
  for (const [index, hertz] of NOTES_HZ.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(gain);
    tone.start(audio.currentTime + index * NOTE_SECONDS);
    tone.stop(audio.currentTime + (index + 1) * NOTE_SECONDS);
  }
  setTimeout(() => void audio.close(), 1000);
}
