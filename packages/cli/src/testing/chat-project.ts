import { join } from 'node:path';
import { runInProcess } from './run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from './temporary-project.ts';

/** What a model makes of messages and of questions, each named by its text. */
interface ChatScript {
  /** By message; a message that is not there is a question by itself. */
  readonly read?: Readonly<Record<string, object>>;
  /** SQL by question; of several in a prompt the last is meant. A reply of another form stands as an object. */
  readonly write: Readonly<Record<string, string | object>>;
  /** SQL by the answer to what was asked back. */
  readonly decided?: Readonly<Record<string, string>>;
  /** Sentences by message. */
  readonly tell?: Readonly<Record<string, string>>;
}

/** A configuration whose model `chat` answers so, with the flow `plain`. */
function chatConfig({ read = {}, write, decided = {}, tell = {} }: ChatScript, more = ''): string {
  return `
    import { scriptedModel } from '@askema/testkit';
    const read = ${JSON.stringify(read)};
    const write = ${JSON.stringify(write)};
    const decided = ${JSON.stringify(decided)};
    const tell = ${JSON.stringify(tell)};
    const nothing = { kind: 'new', turn: 0, question: '', database: '', detail: '', questions: [] };
    const reply = ({ messages }) => {
      const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [{ text: content }] : content));
      const text = parts.map((part) => part.text).join('\\n');
      const [, message] = /Last message: (.*)/.exec(text) ?? [];
      if (message !== undefined) return { json: { ...nothing, question: message, ...read[message] } };
      const [, told] = /The question:\\n<<<.*>>>\\n(.*)/.exec(text) ?? [];
      if (told !== undefined && text.includes('plain sentences')) return { json: { text: tell[told] ?? '' } };
      const places = Object.entries(write).map(([question, reply]) => ({ reply, at: text.lastIndexOf(question) }));
      const asked = places.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at).at(-1)?.reply;
      const [, answer] = /Answered: (.*)/.exec(text) ?? [];
      const found = decided[answer] ?? asked;
      if (found === undefined) throw new Error('the model is gone');
      if (typeof found !== 'string') return { json: found };
      return { json: { outcome: 'sql', sql: found, explanation: 'Scripted.', not_understood: [] } };
    };
    export default {
      models: { chat: () => scriptedModel(reply) },
      defaults: { model: 'chat', flow: 'plain' },
      ${more}
    };
  `;
}

export interface ChatProject extends TemporaryProject {
  /** Lines through a pipe, in this process. */
  chat(
    lines: readonly string[],
    flags?: readonly string[],
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** A folder for the history. */
  readonly env: Readonly<Record<string, string>>;
}

/** A folder with the shop, its configuration, and a history of its own. */
export function chatProject(script: ChatScript, more = ''): ChatProject {
  const project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.write('askema.config.ts', chatConfig(script, more));
  const env = { ASKEMA_HISTORY: join(project.folder, 'history'), ASKEMA_CATALOGS: 'off' };
  return {
    ...project,
    env,
    chat: (lines, flags = ['shop.sqlite']) =>
      runInProcess(['chat', ...flags], { cwd: project.folder, env, stdin: lines.map((line) => `${line}\n`).join('') }),
  };
}
