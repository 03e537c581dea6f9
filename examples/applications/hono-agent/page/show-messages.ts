import { getToolName, isToolUIPart } from 'ai';
import * as z from 'zod';
import type { AgentMessage } from '../src/agent.ts';
import { element } from './element.ts';
import { showReply } from './show-reply.ts';

/** What a tool can be called with. It arrives piece by piece. */
const INPUT = z
  .object({
    question: z.string(),
    answers: z.object({ choice: z.string() }).partial(),
    sql: z.string(),
    words: z.string(),
  })
  .partial();

type Part = AgentMessage['parts'][number];

/** What is on the page of each part. A part is drawn again only when it says something new: tables stay as they are. */
const drawn = new WeakMap<Element, string>();

export interface Shown {
  readonly messages: readonly AgentMessage[];
  /** Whether the last message still grows. */
  readonly isBusy: boolean;
  /** Gets what the person chooses. */
  readonly answer: (choice: string) => void;
}

/** Brings the list of messages up to date. */
export function showMessages(list: HTMLElement, { messages, isBusy, answer }: Shown): void {
  messages.forEach((message, at) => {
    const article = childAt(list, at, 'article');
    article.className = message.role;
    const isGrowing = isBusy && at === messages.length - 1;
    const shown = message.parts.filter((part) => part.type === 'text' || isToolUIPart(part));
    shown.forEach((part, index) => {
      const section = childAt(article, index, 'section');
      const says = `${message.id} ${sayingOf(part, isGrowing)}`;
      if (drawn.get(section) === says) return;
      drawn.set(section, says);
      section.className = part.type === 'text' ? 'text' : 'tool';
      section.replaceChildren(...contentOf(part, isGrowing, answer));
    });
    while (article.childElementCount > shown.length) article.lastElementChild?.remove();
  });
  while (list.childElementCount > messages.length) list.lastElementChild?.remove();
}

function childAt(parent: HTMLElement, index: number, tag: 'article' | 'section'): HTMLElement {
  const there = parent.children[index];
  return there instanceof HTMLElement ? there : parent.appendChild(element(tag, ''));
}

/** Differs as soon as a part has something new to show. */
function sayingOf(part: Part, isGrowing: boolean): string {
  if (part.type === 'text') return part.text;
  return isToolUIPart(part) ? `${part.toolCallId} ${part.state} ${stateOf(part, isGrowing)}` : '';
}

/** What a tool has said so far. */
function outputOf(part: Part) {
  if (!isToolUIPart(part) || part.type === 'dynamic-tool') return undefined;
  return part.state === 'output-available' ? part.output : undefined;
}

/** The step that a tool is at. */
function stateOf(part: Part, isGrowing: boolean): string {
  const output = outputOf(part);
  if (output?.state === 'done') return 'done';
  return isGrowing ? `${output?.step ?? 'begins'} …` : 'stopped';
}

function contentOf(part: Part, isGrowing: boolean, answer: Shown['answer']): readonly (Node | string)[] {
  if (part.type === 'text') return [part.text];
  if (!isToolUIPart(part)) return [];
  const title = element('h2', '', `${getToolName(part)} `, element('q', '', wordsOf(part.input)));
  if (part.state === 'output-error') return [title, element('p', 'problem', part.errorText)];
  const output = outputOf(part);
  if (output?.state === 'done') return [title, ...showReply(output, answer)];
  return [title, element('p', 'working', stateOf(part, isGrowing))];
}

/** The question, the choice, the statement or the words that a tool was called with. */
function wordsOf(input: unknown): string {
  const { question, answers, sql, words } = INPUT.safeParse(input).data ?? {};
  return question ?? answers?.choice ?? sql ?? words ?? '';
}
