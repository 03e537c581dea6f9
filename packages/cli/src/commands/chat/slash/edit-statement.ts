import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AskemaError } from '@askema/core';
import { readVariable } from '../../../process/host.ts';
import { type ChatSession, lastStatements, takeTurn } from '../session/chat-session.ts';

/** `/edit [SQL]`. */
export async function editStatement(written: string, chat: ChatSession, signal: AbortSignal): Promise<void> {
  const sql = written === '' ? await editInEditor(chat) : written;
  const { err } = chat.context;
  if (sql === undefined) return err.write(`${err.dim('Nothing was changed, so nothing runs.')}\n`);
  await takeTurn(chat, sql, signal, (options) => chat.talk.edit(sql, { ...options, database: chat.chosen }));
}

/** The last statement as somebody has changed it; undefined where it is as it was, or empty. */
async function editInEditor(chat: ChatSession): Promise<string | undefined> {
  const { input, stopper, context } = chat;
  const { env } = context.host;
  const editor = readVariable(env, 'VISUAL') ?? readVariable(env, 'EDITOR');
  if (!input.isTerminal || editor === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `${input.isTerminal ? 'No editor is known: set VISUAL or EDITOR' : 'An editor needs a terminal'}. Or write the statement behind the command: /edit SELECT …`,
    );
  const [last] = await lastStatements(chat);
  const before = last?.sql ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'askema-edit-'));
  try {
    const file = join(folder, 'statement.sql');
    await writeFile(file, `${before.trim()}\n`, { mode: 0o600 });
    await stopper.ignore(() => input.lend(() => runEditor(editor, file)));
    const after = (await readFile(file, 'utf8')).trim();
    return after === '' || after === before.trim() ? undefined : after;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** With the words that VISUAL may hold beside the program, such as `code --wait`. */
function runEditor(editor: string, file: string): Promise<void> {
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'askema', file], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new AskemaError('INPUT_INVALID', `The editor \`${editor}\` ${why}. Nothing runs.`));
    child.on('error', (error) => fail(`cannot be started: ${error.message}`));
    child.on('close', (code) => (code === 0 ? resolve() : fail(`ended with ${code ?? 'a signal'}`)));
  });
}
