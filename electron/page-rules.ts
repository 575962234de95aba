import { app, type Session, shell } from 'electron';
import {
  decideWindow,
  leadsOut,
  mayDownload,
  mayHave,
  mayNavigate,
  mayNavigateFrame,
} from './window-policy.ts';

/** For every page that ever comes to be: where it may go, what it may open, what it may have. */
export function enforcePageRules(isKiosk: () => boolean): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', details => {
      if (!mayNavigate(details.url, contents.getURL())) details.preventDefault();
    });
    contents.on('will-redirect', details => {
      if (!mayNavigate(details.url, contents.getURL())) details.preventDefault();
    });
    contents.on('will-frame-navigate', details => {
      if (!details.isMainFrame && !mayNavigateFrame(details.url)) details.preventDefault();
    });
    contents.on('before-input-event', (event, input) => {
      if (isKiosk() && leadsOut(input)) event.preventDefault();
    });
    contents.on('will-attach-webview', event => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      const decision = decideWindow(url, isKiosk());
      if (decision.action === 'deny' && decision.openOutside !== undefined) {
        void shell.openExternal(decision.openOutside);
      }
      return decision;
    });
  });
}

/** What `mayHave` says is granted, nothing is chosen for a page, and it keeps only what it has made or asked for itself. */
export function denyPermissions(session: Session, isKiosk: () => boolean): void {
  session.setPermissionCheckHandler((_contents, permission, origin, { mediaType }) =>
    mayHave(permission, origin, [mediaType]),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(
      mayHave(permission, details.requestingUrl, 'mediaTypes' in details ? (details.mediaTypes ?? []) : []),
    ),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    choose(null);
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose('');
  });
  session.on('will-download', (event, item) => {
    if (!mayDownload(item.getURL(), isKiosk())) event.preventDefault();
  });
}
