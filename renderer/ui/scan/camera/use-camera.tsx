import { ActionIcon } from '@mantine/core';
import { IconCamera, IconCameraOff } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** With its reader of codes it is as large as all other screens, and few need it. */
const CameraView = lazy(() => import('./camera-view.tsx'));

/** The camera as a scanner: its switch, and its picture where it is on. */
export function useCamera() {
  const { t } = useTranslation('scan');
  const [isOn, setIsOn] = useState(false);
  return {
    button: (
      <ActionIcon
        variant="default"
        aria-label={t(isOn ? 'camera.off' : 'camera.on')}
        aria-pressed={isOn}
        onClick={() => setIsOn(!isOn)}
      >
        {isOn ? <IconCameraOff aria-hidden /> : <IconCamera aria-hidden />}
      </ActionIcon>
    ),
    picture: isOn && (
      <Suspense fallback={t('camera.starting')}>
        <CameraView />
      </Suspense>
    ),
  };
}
