import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createOutput } from '../../../process/output.ts';
import { createSecretAsker } from '../../../terminal/ask-secret.ts';
import { memoryHost } from '../../../testing/memory-host.ts';
import { terminalLines } from './terminal-lines.ts';

function terminal() {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const memory = memoryHost({ columns: 80 });
  const raised = vi.fn();
  const host = { ...memory, stdin, raise: raised };
  const controller = new AbortController();
  const err = createOutput(host.stderr, host.env);
  const { signal } = controller;
  const input = terminalLines({ host, err, signal, complete: () => [], typed: ['older'] });
  return { input, stdin, err, modes, raised, controller, written: memory.written, host };
}

describe('lines of a terminal', () => {
  it('are edited with the usual keys', async () => {
    const { input, stdin } = terminal();
    const line = input.next('> ');
    stdin.write('How mny\u001b[D\u001b[Da\u0005?\r');
    expect(await line).toEqual({ text: 'How many?' });
    const older = input.next('> ');
    stdin.write('\u001b[A\u001b[A\r');
    expect(await older).toEqual({ text: 'older' });
    input.close();
  });

  it('hold no password that a database asks for', async () => {
    const { input, stdin, err, host, controller, written, modes } = terminal();
    const first = input.next('> ');
    stdin.write('question\r');
    await first;
    const ask = createSecretAsker({ host, err, signal: controller.signal });
    const secret = ask?.('Password');
    await vi.waitFor(() => expect(written.stderr).toContain('Password: '));
    stdin.write('hush\r');
    expect(await secret).toBe('hush');
    const second = input.next('> ');
    stdin.write('next\r');
    expect(await second).toEqual({ text: 'next' });
    expect(written.stderr).not.toContain('hush');
    input.close();
    expect(modes.at(-1)).toBe(false);
  });

  it('give Ctrl-C away while something runs, and on an empty line', async () => {
    const { input, stdin, raised } = terminal();
    const line = input.next('> ');
    stdin.write('abc\u0003');
    expect(raised).not.toHaveBeenCalled();
    stdin.write('\u0003');
    await vi.waitFor(() => expect(raised).toHaveBeenCalledWith('SIGINT'));
    stdin.write('x\r');
    expect(await line).toEqual({ text: 'x' });
    stdin.write('typed ahead\u0003');
    await vi.waitFor(() => expect(raised).toHaveBeenCalledTimes(2));
    input.close();
  });

  it('end with the terminal, and with the command', async () => {
    const ended = terminal();
    const last = ended.input.next('> ');
    ended.stdin.end();
    expect(await last).toBeUndefined();

    const stopped = terminal();
    const none = stopped.input.next('> ');
    stopped.controller.abort();
    expect(await none).toBeUndefined();
    expect(await stopped.input.next('> ')).toBeUndefined();
    expect(stopped.modes.at(-1)).toBe(false);
  });
});
