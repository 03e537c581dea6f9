import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ChatInput } from './chat-input.ts';
import { pipedLines } from './piped-lines.ts';

async function linesOf(input: ChatInput): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let line = await input.next(''); line !== undefined; line = await input.next('')) lines.push(line.text);
  return lines;
}

const { signal } = new AbortController();

describe('lines of a pipe', () => {
  it.each([
    ['lines', ['a\nb\n'], ['a', 'b']],
    ['a last line without an end', ['a\nb'], ['a', 'b']],
    ['ends of Windows', ['a\r\n\r\nb\r\n'], ['a', '', 'b']],
    ['lines that come in pieces', ['a', 'b\nc', '\n'], ['ab', 'c']],
    ['a letter whose bytes come apart', [Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])], ['ä']],
    ['nothing', [], []],
  ])('are %s', async (_, chunks, lines) => {
    expect(await linesOf(pipedLines(Readable.from(chunks), signal))).toEqual(lines);
  });

  it('are cut where they are too long, and the next one is whole', async () => {
    const input = pipedLines(Readable.from(['x'.repeat(800_000), 'x'.repeat(800_000), '\nnext\n']), signal);
    const first = await input.next('');
    expect(first?.text).toHaveLength(1_000_000);
    expect(first?.isCut).toBe(true);
    expect(await input.next('')).toEqual({ text: 'next', isCut: false });
  });

  it('end when they are closed, when a signal fires, and when the input fails', async () => {
    const closed = pipedLines(new PassThrough(), signal);
    const waiting = closed.next('');
    closed.close();
    expect(await waiting).toBeUndefined();

    const controller = new AbortController();
    const stopped = pipedLines(new PassThrough(), controller.signal).next('');
    controller.abort();
    expect(await stopped).toBeUndefined();

    const failing = new PassThrough();
    const failed = pipedLines(failing, signal).next('');
    failing.destroy(new Error('gone'));
    expect(await failed).toBeUndefined();
  });
});
