import { chmodSync, readFileSync, statSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCli } from '../../run-cli.ts';
import { type ChatProject, chatProject } from '../../testing/chat-project.ts';
import { memoryHost } from '../../testing/memory-host.ts';

const COUNT = 'How many customers are there?';
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
const MANY = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT i FROM n';
const [CTRL_C, CTRL_D, UP, TAB] = ['\u0003', '\u0004', '\u001b[A', '\t'];

let project: ChatProject;
beforeEach(() => {
  project = chatProject({
    read: { 'and in Rome?': { kind: 'refine', turn: 1, question: 'How many customers in Rome?', database: 'shop' } },
    write: {
      [COUNT]: 'SELECT count(*) AS customers FROM customer',
      'How many customers in Rome?': "SELECT count(*) AS in_rome FROM customer WHERE city = 'Rome'",
      'For ever?': ENDLESS,
      'All numbers?': MANY,
    },
  });
});
afterEach(() => project.remove());

/** A chat on a terminal on which a test types. */
function terminal(flags: readonly string[] = ['shop.sqlite'], env: Readonly<Record<string, string>> = {}) {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const memory = memoryHost({
    columns: 100,
    cwd: project.folder,
    env: { OLLAMA_HOST: '127.0.0.1:1', NO_COLOR: '1', ...project.env, ...env },
  });
  const ended = runCli(['chat', ...flags], { ...memory, stdin });
  let seen = 0;
  return {
    memory,
    stdin,
    modes,
    ended,
    /** Waits for text that comes after what was waited for before. */
    async sees(text: string | RegExp): Promise<string> {
      const found = await vi.waitFor(
        () => {
          const all = memory.written.stderr.slice(seen);
          const at = typeof text === 'string' ? all.indexOf(text) : all.search(text);
          if (at < 0) throw new Error(`${text} is not in ${all}`);
          return { all, end: at + (typeof text === 'string' ? text.length : 1) };
        },
        { timeout: 10_000, interval: 5 },
      );
      seen += found.end;
      return found.all.slice(0, found.end);
    },
    types: (keys: string) => stdin.write(keys),
  };
}

describe('askema chat on a terminal', () => {
  it('says what is asked and by which model, prompts, and leaves with Ctrl-D', async () => {
    const { memory, sees, types, ended, modes } = terminal();
    await sees('Asking shop (shop.sqlite) with scripted:scripted. /help');
    await sees('askema> ');
    types(`${COUNT}\r`);
    await sees('1 model call · ');
    await sees('askema> ');
    types(CTRL_D);
    expect(await ended).toBe(0);
    expect(memory.written.stdout).toBe('customers\n---------\n        5\n(1 row)\n');
    expect(modes.at(-1)).toBe(false);
  });

  it('names the database that is talked about', async () => {
    project.database('hr.sqlite', 'CREATE TABLE staff (id INTEGER PRIMARY KEY)');
    const { sees, types, ended } = terminal(['shop.sqlite', 'hr.sqlite']);
    await sees('askema> ');
    types('and in Rome?\r');
    await sees('(shop) How many customers in Rome?');
    await sees('askema (shop)> ');
    types('/use hr\r');
    await sees('askema (hr)> ');
    types(CTRL_D);
    expect(await ended).toBe(0);
  });

  it('shows at most 40 rows, and all where they are asked for', async () => {
    const { memory, sees, types, ended } = terminal();
    await sees('askema> ');
    types('All numbers?\r');
    await sees('/rows shows all');
    expect(memory.written.stdout).toMatch(/\n40\n\(40 of 60 rows\)\n$/);
    await sees('askema> ');
    types('/rows\r');
    await sees('askema> ');
    expect(memory.written.stdout).toMatch(/\n60\n\(60 rows\)\n$/);
    types('/quit\r');
    expect(await ended).toBe(0);
  });

  it('takes what is typed or pasted while a question runs', async () => {
    const { memory, sees, types, ended } = terminal();
    await sees('askema> ');
    types(`${COUNT}\rand in Rome?\r/turns\r/qu`);
    await sees('askema> and in Rome?');
    await sees('askema> /turns');
    await sees('/qu');
    types('it\r');
    expect(await ended).toBe(0);
    expect(memory.written.stdout).toMatch(/in_rome.* 1 {2}How many.* 2 {2}and in Rome\?/s);
  });

  it('completes commands, and finds lines of earlier sessions', async () => {
    const first = terminal();
    await first.sees('askema> ');
    first.types('/tu');
    first.types(TAB);
    await first.sees('/turns ');
    first.types('\r');
    await first.sees('Nothing was said yet.');
    first.types(CTRL_D);
    expect(await first.ended).toBe(0);
    expect(statSync(project.path('history/chats/.lines')).mode & 0o777).toBe(0o600);

    const second = terminal();
    await second.sees('askema> ');
    second.types(UP);
    await second.sees('/turns');
    second.types(`\r${CTRL_D}`);
    expect(await second.ended).toBe(0);
    expect(readFileSync(project.path('history/chats/.lines'), 'utf8')).toBe('/turns\n/turns\n');

    const third = terminal(['shop.sqlite', '--no-history']);
    await third.sees('askema> ');
    third.types(`${UP}/new\r${CTRL_D}`);
    await third.sees('A new conversation.');
    expect(await third.ended).toBe(0);
    expect(readFileSync(project.path('history/chats/.lines'), 'utf8')).not.toContain('/new');
  });

  it('obeys nothing that an earlier line holds', async () => {
    await project.chat([COUNT]);
    project.write('history/chats/.lines', 'Names?\u009b2J\u001b]0;x\u0007\n');
    const { types, sees, ended } = terminal();
    await sees('askema> ');
    types(UP);
    await sees('Names?\\u{9b}2J\\u{1b}]0;x\\u{7}');
    types(`\u0015${CTRL_D}`);
    expect(await ended).toBe(0);
  });

  it('/edit opens the editor with the statement, and runs what was made of it', async () => {
    project.write('editor.sh', '#!/bin/sh\nsed -i "s/customers/edited/" "$2"\n');
    chmodSync(project.path('editor.sh'), 0o700);
    const { memory, sees, types, ended, modes } = terminal(['shop.sqlite'], {
      EDITOR: `${project.path('editor.sh')} --wait`,
    });
    await sees('askema> ');
    types(`${COUNT}\r`);
    await sees('1 model call · ');
    await sees('askema> ');
    const before = modes.length;
    types('/edit\r');
    await sees('askema> ');
    expect(memory.written.stdout).toMatch(/edited\n-+\n +5\n/);
    expect(modes.slice(before)).toEqual(expect.arrayContaining([false, true]));
    types('/edit\r');
    await sees('Nothing was changed');
    types(CTRL_D);
    expect(await ended).toBe(0);
  });

  it('says that no editor is known', async () => {
    const { sees, types, ended } = terminal();
    await sees('askema> ');
    types(`${COUNT}\r/edit\r`);
    await sees('No editor is known: set VISUAL or EDITOR');
    types(CTRL_D);
    expect(await ended).toBe(0);
  });
});

describe('Ctrl-C', () => {
  it('stops the statement, and the chat goes on', async () => {
    const { memory, sees, types, ended } = terminal();
    await sees('askema> ');
    types('For ever?\r');
    await sees('executing');
    types(CTRL_C);
    await sees('Stopped.');
    await sees('askema> ');
    types(`${COUNT}\r`);
    await sees('1 model call · ');
    await sees('askema> ');
    expect(memory.written.stdout).toContain('        5');
    expect(memory.exits).toEqual([]);
    types('/turns\r/quit\r');
    expect(await ended).toBe(0);
    expect(memory.written.stdout).toMatch(/For ever\? {2}\(cancelled\)/);
  });

  it('clears what is typed; on an empty prompt it says how to leave, and the second one leaves', async () => {
    const { sees, types, ended } = terminal();
    await sees('askema> ');
    types('abc');
    types(CTRL_C);
    types(CTRL_C);
    const shown = await sees('Ctrl-C once more leaves');
    expect(shown).not.toContain('error:');
    types('/turns\r');
    await sees('Nothing was said yet.');
    types(CTRL_C);
    await sees('Ctrl-C once more leaves');
    types(CTRL_C);
    expect(await ended).toBe(0);
  });

  it('stops a model that never answers', async () => {
    project.write(
      'askema.config.ts',
      `import { scriptedModel } from '@askema/testkit';
       export default { models: { m: () => scriptedModel(() => new Promise(() => {})) }, defaults: { model: 'm', flow: 'plain' } };`,
    );
    const { memory, sees, types, ended } = terminal();
    await sees('askema> ');
    types(`${COUNT}\r`);
    await sees('writing');
    types(CTRL_C);
    await sees('Stopped.');
    await sees('askema> ');
    expect(memory.exits).toEqual([]);
    types(CTRL_D);
    expect(await ended).toBe(0);
  });

  it('stops no more than the question; SIGTERM ends it all', async () => {
    const { memory, sees, types, ended } = terminal();
    await sees('askema> ');
    types('For ever?\r');
    await sees('executing');
    memory.interrupt('SIGTERM');
    expect(await ended).toBe(143);
  });

  it('is not needed on a prompt where SIGTERM comes', async () => {
    const { memory, sees, ended } = terminal();
    await sees('askema> ');
    memory.interrupt('SIGTERM');
    expect(await ended).toBe(143);
  });
});
