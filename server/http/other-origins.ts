import cors from 'cors';
import type { RequestHandler } from 'express';
import { AppError } from '../../shared/contract/errors.ts';

/** For how long a browser remembers what it may ask, in seconds: a name that is taken away counts no longer. */
const REMEMBERED = 60;

/** What a page may read of an answer beside its body. */
const READABLE = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Content-Disposition',
  'Preference-Applied',
  'Idempotent-Replayed',
  'Holdpoint-Ignored',
  'Deprecation',
  'Sunset',
  'Link',
];

/**
 * Answers pages of the origins that an administrator has named (`web_origins`): they call as programs do, with a token. No cookie of
 * theirs counts and none is given to them, whatever the page asks for: nobody signs in from elsewhere.
 */
export const otherOrigin: RequestHandler = (request, response, next) => {
  delete request.headers.cookie;
  response.locals.isOtherOrigin = true;
  answer(request, response, next);
};

const answer = cors({
  // The guard has compared it with those that are named.
  origin: true,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: READABLE,
  credentials: false,
  maxAge: REMEMBERED,
});

/** @throws AppError `forbidden` for what is open and no read: it begins sessions and gives cookies */
export function refuseOpenWrite(): never {
  throw new AppError(
    'forbidden',
    'A page of another origin signs nobody in, and calls with a token. Open this page from this server.',
  );
}
