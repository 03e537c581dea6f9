import { AskemaError } from '@askema/core';

export function serverClosing(): AskemaError {
  return new AskemaError('SERVER_CLOSING', 'The server is about to stop. Send the request again in a few seconds.', {
    retryable: true,
  });
}
