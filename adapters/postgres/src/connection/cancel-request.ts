import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ResolvedOptions } from '../options.ts';

/** Codes of protocol-message-formats: CancelRequest and SSLRequest. */
const CANCEL_CODE = 80_877_102;
const SSL_CODE = 80_877_103;

/** How long the server may take to take it. */
const CANCEL_TIMEOUT_MS = 1_000;

/** Whose statement is stopped: what the server told at the start of the connection. */
export interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Stops the statement of a backend over a connection of its own (protocol-flow#PROTOCOL-FLOW-CANCELING-REQUESTS).
 * Resolves when the server has taken the request and closed, or after a second; it never rejects, because the server
 * says nothing of success either.
 */
export function cancelBackend({ host, port, ssl }: ResolvedOptions, key: BackendKey): Promise<void> {
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const timer = setTimeout(() => socket.destroy(), CANCEL_TIMEOUT_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    socket.on('error', end);
    socket.on('close', end);
    socket.once('connect', () => {
      if (ssl === false) socket.end(cancelMessage(key));
      else askForTls(socket, host, ssl, key);
    });
  });
}

function askForTls(socket: Socket, host: string, ssl: object, key: BackendKey): void {
  const request = Buffer.alloc(8);
  request.writeInt32BE(8, 0);
  request.writeInt32BE(SSL_CODE, 4);
  socket.write(request);
  socket.once('data', (answer) => {
    if (answer.toString('latin1') !== 'S') {
      socket.end(cancelMessage(key));
      return;
    }
    const secure = connectTls({ socket, host, ...ssl }, () => secure.end(cancelMessage(key)));
    secure.on('error', () => socket.destroy());
  });
}

function cancelMessage({ processID, secretKey }: BackendKey): Buffer {
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(CANCEL_CODE, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  return message;
}
