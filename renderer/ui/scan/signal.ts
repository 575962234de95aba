import { useLocalStorage } from '@mantine/hooks';

export type Outcome = 'taken' | 'question' | 'refused';

/** Hertz, beginning and length in seconds: told apart by pitch, number and rhythm, in noise as well. */
const TONES: Record<Outcome, { wave: OscillatorType; tones: [hertz: number, at: number, length: number][] }> =
  {
    taken: { wave: 'sine', tones: [[1_320, 0, 0.09]] },
    question: {
      wave: 'triangle',
      tones: [
        [660, 0, 0.14],
        [880, 0.18, 0.2],
      ],
    },
    refused: {
      wave: 'square',
      tones: [
        [220, 0, 0.16],
        [220, 0.22, 0.16],
        [165, 0.44, 0.34],
      ],
    },
  };

const SHAKES: Record<Outcome, number[]> = {
  taken: [40],
  question: [120, 80, 120],
  refused: [300, 100, 300],
};

let context: AudioContext | undefined;

/** Says by sound and shaking how a scan has ended, for who looks elsewhere. */
export function signal(outcome: Outcome, isMuted: boolean): void {
  navigator.vibrate?.(SHAKES[outcome]);
  if (isMuted || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // A browser that waits for a person's first key lets it sound from then on.
  void context.resume();
  const { wave, tones } = TONES[outcome];
  for (const [hertz, at, length] of tones) {
    const begin = context.currentTime + at;
    const oscillator = new OscillatorNode(context, { type: wave, frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0.25, begin);
    // Cut off at once it would click.
    volume.gain.setTargetAtTime(0, begin + length, 0.012);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(begin);
    oscillator.stop(begin + length + 0.1);
  }
}

/** Whether scans make no sound; remembered on this machine. */
export function useMute() {
  const [value, setValue] = useLocalStorage<'on' | 'off'>({
    key: 'holdpoint.scan-sound',
    defaultValue: 'on',
    getInitialValueInEffect: false,
  });
  const isMuted = value === 'off';
  return { isMuted, toggle: () => setValue(isMuted ? 'on' : 'off') };
}
