import { textTable } from '../../i18n/text-table.ts';

/** Scanning anywhere. */
export const texts = textTable({
  panel: ['Last scan', 'Letzter Scan'],
  'outcome.none': ['Ready to scan', 'Bereit zum Scannen'],
  'outcome.question': ['Question', 'Frage'],
  'outcome.refused': ['Refused', 'Abgewiesen'],
  'sound.on': ['Sound for each scan', 'Ton bei jedem Scan'],
  'sound.off': ['No sound for scans', 'Kein Ton bei Scans'],
  'camera.on': ['Scan with the camera', 'Mit der Kamera scannen'],
  'camera.off': ['Switch the camera off', 'Kamera ausschalten'],
  'camera.starting': ['The camera is starting …', 'Die Kamera startet …'],
  'camera.ready': ['Hold a code before the camera.', 'Halten Sie einen Code vor die Kamera.'],
  'camera.picture': ['Picture of the camera', 'Bild der Kamera'],
  'camera.again': ['Try again', 'Noch einmal versuchen'],
  'camera.refused': [
    'This page may not use the camera. Allow it for this page in the browser, at the sign beside the address, then try again.',
    'Diese Seite darf die Kamera nicht benutzen. Erlauben Sie es ihr im Browser, beim Zeichen neben der Adresse, und versuchen Sie es noch einmal.',
  ],
  'camera.none': [
    'No camera was found at this machine. Connect one, or scan with a scanner.',
    'An diesem Rechner wurde keine Kamera gefunden. Schließen Sie eine an, oder nehmen Sie einen Scanner.',
  ],
  'camera.busy': [
    'Another program uses the camera. Close that one, then try again.',
    'Ein anderes Programm benutzt die Kamera. Schließen Sie es, und versuchen Sie es noch einmal.',
  ],
  'camera.insecure': [
    'Browsers give the camera only to pages over HTTPS or on the machine itself. Open this page by its https address.',
    'Browser geben die Kamera nur Seiten über HTTPS oder auf dem Rechner selbst. Öffnen Sie diese Seite unter ihrer https-Adresse.',
  ],
  'camera.failed': [
    'The camera gives no picture. Connect it anew, then try again.',
    'Die Kamera gibt kein Bild. Schließen Sie sie neu an, und versuchen Sie es noch einmal.',
  ],
  unknown: ['Nothing is known by the code “{{text}}”.', 'Zum Code „{{text}}“ ist nichts bekannt.'],
  several: ['“{{text}}” names more than one record.', '„{{text}}“ benennt mehrere Datensätze.'],
  known: [
    'The scanner is set up at this machine. Before a scan it sends: {{before}}. After it: {{after}}.',
    'Der Scanner ist an diesem Rechner eingerichtet. Vor einem Scan sendet er: {{before}}. Danach: {{after}}.',
  ],
  'known.nothing': ['nothing', 'nichts'],
  close: ['Close', 'Schließen'],
  'gauge.converted': [
    'The device typed “{{typed}}”: that is {{value}} {{unit}}.',
    'Das Gerät sandte „{{typed}}“: Das sind {{value}} {{unit}}.',
  ],
  'gauge.refused': [
    'The device typed “{{typed}}”. {{unit}} cannot be converted to {{asked}}: set the device to {{asked}}, or type the number. Nothing was entered.',
    'Das Gerät sandte „{{typed}}“. {{unit}} ist nicht in {{asked}} umrechenbar: Stellen Sie das Gerät auf {{asked}}, oder geben Sie die Zahl ein. Es wurde nichts eingetragen.',
  ],
});
