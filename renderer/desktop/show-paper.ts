import { WITHOUT_BUTTONS } from '../../shared/contract/desktop-bridge.ts';
import { showFile } from '../ui/save-file.ts';
import { bridge } from './bridge.ts';

/** Shows a PDF in a window of its own, from where it is printed; at a kiosk it is only shown. */
export async function showPaper(content: Blob): Promise<void> {
  const isKiosk = await bridge()?.kiosk.isOn();
  showFile(content, isKiosk ? WITHOUT_BUTTONS : '');
}
