import type { Duplex } from 'node:stream';

/** Kind and length of a message of the protocol. */
const HEADER_BYTES = 5;

const ERROR = 'E'.charCodeAt(0);
const NOTICE = 'N'.charCodeAt(0);

/** An error may quote a value, and is worth its text; a longer one is not collected. */
export const MAX_ERROR_BYTES = 8_000_000;

/** Watches the messages that come in, so that one that is too large is never collected. */
export interface MessageGuard {
  /** A message with more bytes than this ends the connection. */
  limit: number;
  /** What kind of message was too large, once that has happened: errors (and notices) have a cap of their own. */
  readonly exceeded: () => 'row' | 'error' | undefined;
}

/**
 * Looks at the header of each message before the driver does (protocol-message-formats: one byte of kind, four of
 * length). The driver collects a message whole before it hands over anything of it: a single cell of 500 MB would fill
 * the memory, whatever cap holds. Must be set up between two messages.
 */
export function guardMessages(stream: Duplex): MessageGuard {
  const header = Buffer.alloc(HEADER_BYTES);
  let have = 0;
  let skip = 0;
  let exceeded: 'row' | 'error' | undefined;
  const guard: MessageGuard = { limit: Number.POSITIVE_INFINITY, exceeded: () => exceeded };
  stream.prependListener('data', (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length && exceeded === undefined) {
      if (skip > 0) {
        const passed = Math.min(skip, chunk.length - at);
        skip -= passed;
        at += passed;
        continue;
      }
      let length: number;
      let kind: number | undefined;
      if (have === 0 && chunk.length - at >= HEADER_BYTES) {
        // The length counts itself, not the kind.
        length = chunk.readUInt32BE(at + 1);
        kind = chunk[at];
        at += HEADER_BYTES;
      } else {
        // The header lies in two chunks.
        const taken = Math.min(HEADER_BYTES - have, chunk.length - at);
        chunk.copy(header, have, at, at + taken);
        have += taken;
        at += taken;
        if (have < HEADER_BYTES) return;
        have = 0;
        length = header.readUInt32BE(1);
        kind = header[0];
      }
      skip = length - 4;
      const isError = kind === ERROR || kind === NOTICE;
      if (length <= (isError ? MAX_ERROR_BYTES : guard.limit)) continue;
      exceeded = isError ? 'error' : 'row';
      stream.destroy();
    }
  });
  return guard;
}
