import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { offerScan } from '../scan-target.ts';
import { readerOfCodes } from './read-codes.ts';
import { createSight } from './sight.ts';

/** Between two looks, in milliseconds: others have their turn. */
const BETWEEN_MS = 100;

const faults = ['insecure', 'refused', 'none', 'busy', 'failed'] as const;
type Fault = (typeof faults)[number];

/** What the camera sees goes to the screen as what a scanner reads does. */
export default function CameraView() {
  const { t } = useTranslation('scan');
  const video = useRef<HTMLVideoElement>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [tries, setTries] = useState(1);
  const [isSeeing, setIsSeeing] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try begins anew
  useEffect(() => {
    let stream: MediaStream | undefined;
    let isOver = false;
    const end = (why: Fault) => {
      if (!isOver) setFault(why);
    };
    const look = async () => {
      if (!navigator.mediaDevices) return end('insecure');
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 1_280 } },
      });
      const screen = video.current;
      if (isOver || !screen) return stop();
      stream.getVideoTracks()[0]?.addEventListener('ended', () => end('failed'));
      screen.srcObject = stream;
      await screen.play();
      const [read, sight] = [await readerOfCodes(), createSight()];
      setIsSeeing(true);
      while (!isOver) {
        for (const code of sight.see(await read(screen), performance.now())) offerScan(code, false);
        await new Promise(resolve => setTimeout(resolve, BETWEEN_MS));
      }
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    look().catch((error: unknown) => {
      stop();
      end(faultOf(error));
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [tries]);

  if (fault) {
    return (
      <Stack gap="xs" align="start">
        <Text role="alert">{t(`camera.${fault}`)}</Text>
        {fault !== 'insecure' && (
          <Button
            variant="default"
            onClick={() => {
              setFault(null);
              setIsSeeing(false);
              setTries(tries + 1);
            }}
          >
            {t('camera.again')}
          </Button>
        )}
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <Text role="status">{t(isSeeing ? 'camera.ready' : 'camera.starting')}</Text>
      <video ref={video} className="camera" muted playsInline aria-label={t('camera.picture')} />
    </Stack>
  );
}

/** Why there is no picture, by the names of the Media Capture specification. */
function faultOf(error: unknown): Fault {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'failed';
}
