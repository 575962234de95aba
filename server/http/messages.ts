import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Of which classes the requests and answers are that a server makes for its handler. */
export type Messages = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * The application with classes of its own messages. Express changes the prototypes of all others when they come, which is slow,
 * and so is whatever is done with an object whose prototype was changed.
 */
export function withMessages(app: Express): Express & Messages {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return Object.assign(app, {
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse as typeof ServerResponse,
  });
}

/** What `createServer` takes of them. */
export function messagesIn({ IncomingMessage, ServerResponse }: Messages): Messages {
  return { ...(IncomingMessage && { IncomingMessage }), ...(ServerResponse && { ServerResponse }) };
}
