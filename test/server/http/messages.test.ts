import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { createHttpServer } from '../../../server/http/listen.ts';
import { withMessages } from '../../../server/http/messages.ts';

it('requests and answers are the application’s before it is given them, so that it changes none', async () => {
  const app = withMessages(express());
  app.get('/', ({ path, app: served }, response) => void response.json({ path, isSame: served === app }));
  const cameAs: unknown[] = [];
  const handler = Object.assign(
    (request: IncomingMessage, response: ServerResponse) => {
      cameAs.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
      app(request, response);
    },
    { IncomingMessage: app.IncomingMessage, ServerResponse: app.ServerResponse },
  );
  const server = createHttpServer({ handler });
  onTestFinished(() => server.close());
  const { port } = await server.listen('127.0.0.1', 0);
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(await answer.json()).toEqual({ path: '/', isSame: true });
  expect(cameAs).toHaveLength(2);
  expect(cameAs[0]).toBe(app.request);
  expect(cameAs[1]).toBe(app.response);
});
