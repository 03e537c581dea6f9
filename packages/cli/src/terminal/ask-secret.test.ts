import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../process/output.ts';
import { memoryHost } from '../testing/memory-host.ts';
import { createSecretAsker } from './ask-secret.ts';
import { startProgressLine } from './progress-line.ts';

/** A terminal on which a test types. */
function terminal() {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const memory = memoryHost({ columns: 80 });
  const host = { ...memory, stdin };
  const controller = new AbortController();
  memory.onStopSignal(() => controller.abort(new DOMException('Stopped', 'AbortError')));
  const err = createOutput(host.stderr, host.env);
  const ask = createSecretAsker({ host, err, signal: controller.signal });
  if (ask === undefined) throw new Error('Nobody can be asked.');
  return { ask, stdin, modes, err, written: memory.written };
}

describe('asking for a secret', () => {
  it.each([
    ['what is typed', ['s', 'e', 'c', 'ret', '\r'], 'secret'],
    ['what is pasted at once, with letters of several bytes', ['pä$$ wörd€\n'], 'pä$$ wörd€'],
    ['a letter whose bytes come apart', [Buffer.from([0xc3]), Buffer.from([0xa4]), '\r'], 'ä'],
    ['what is left after erasing', ['ab\u007f\u007f\u007fx\by🙂\u007fz\r'], 'yz'],
    ['what is typed after everything was erased', ['wrong\u0015right\r'], 'right'],
    ['nothing of arrow keys and other controls', ['a\u001b[Db\u001bOC\u0007c\t\r'], 'abc'],
    ['nothing', ['\r'], ''],
    ['what stands before the end of the input', ['half\u0004'], 'half'],
  ])('gives %s', async (_, chunks, secret) => {
    const { ask, stdin, modes, written } = terminal();
    const answer = ask('Password for ada?');
    for (const chunk of chunks) stdin.write(chunk);
    expect(await answer).toBe(secret);
    expect(modes).toEqual([true, false]);
    expect(written.stderr).toBe('\r\u001b[2KPassword for ada: \n');
  });

  it('ends with Ctrl-C as every command does, and gives the terminal back', async () => {
    const { ask, stdin, modes } = terminal();
    const answer = ask('Password');
    stdin.write('sec\u0003');
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(modes).toEqual([true, false]);
    await expect(ask('Again')).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('asks one question after the other', async () => {
    const { ask, stdin, written } = terminal();
    const answers = Promise.all([ask('First'), ask('Second')]);
    stdin.write('one\r');
    await new Promise(setImmediate);
    stdin.write('two\r');
    expect(await answers).toEqual(['one', 'two']);
    expect(written.stderr.match(/First|Second/g)).toEqual(['First', 'Second']);
  });

  it('is not drawn over by the progress line', async () => {
    const { ask, stdin, err, written } = terminal();
    const line = startProgressLine(err);
    line.show('connecting');
    const answer = ask('Password');
    await new Promise(setImmediate);
    const before = written.stderr;
    line.show('still connecting');
    expect(written.stderr).toBe(before);
    stdin.write('x\r');
    await answer;
    line.show('reading');
    expect(written.stderr).toContain('reading');
    await line.stop();
  });

  it('escapes what the question holds, which may come from an address', async () => {
    const { ask, stdin, written } = terminal();
    const answer = ask('Password of \u001b[2Jada');
    stdin.write('\r');
    await answer;
    expect(written.stderr).toContain('\\u{1b}[2Jada');
  });

  it('is not possible without a terminal', () => {
    const host = memoryHost({ stdin: 'secret' });
    const err = createOutput(host.stderr, {});
    expect(createSecretAsker({ host, err, signal: new AbortController().signal })).toBeUndefined();
  });
});
