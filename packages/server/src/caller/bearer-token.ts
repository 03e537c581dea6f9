import { AskemaError } from '@askema/core';

/** Larger ones are not looked at: a token of an issuer is a few thousand characters. */
const MAX_TOKEN = 16_384;

/** The token of a request. @throws AskemaError `CALLER_UNKNOWN`, never with the token. */
export function bearerToken(request: Request): string {
  const header = request.headers.get('authorization');
  if (header === null) throw callerUnknown('The request has no token');
  const token = /^bearer +([^\s]+)$/i.exec(header)?.[1];
  if (token === undefined || token.length > MAX_TOKEN)
    throw callerUnknown('The `Authorization` of the request is none');
  return token;
}

/** `what` begins the sentence. It is the same for all that is wrong with a token, so that nobody learns how near it is. */
export function callerUnknown(what: string, cause?: unknown): AskemaError {
  const message = `${what}. Send \`Authorization: Bearer …\` with a token that this server accepts.`;
  return new AskemaError('CALLER_UNKNOWN', message, cause === undefined ? {} : { cause });
}
