import { getToolName, isToolUIPart } from 'ai';
import type { AgentMessage } from '../src/agent.ts';
import { element } from './element.ts';
import { showReply } from './show-reply.ts';

type Part = AgentMessage['parts'][number];

/** What is on the page of each part. A part is drawn again only when it says something new: tables stay as they are. */
const drawn = new WeakMap<Element, string>();

/** Brings the list of messages up to date; `answer` gets what the person chooses. */
export function showMessages(
  list: HTMLElement,
  messages: readonly AgentMessage[],
  answer: (choice: string) => void,
): void {
  messages.forEach((message, at) => {
    const article = childAt(list, at, 'article');
    article.className = message.role;
    const shown = message.parts.filter((part) => part.type === 'text' || isToolUIPart(part));
    shown.forEach((part, index) => {
      const section = childAt(article, index, 'section');
      const says = `${message.id} ${sayingOf(part)}`;
      if (drawn.get(section) === says) return;
      drawn.set(section, says);
      section.className = part.type === 'text' ? 'text' : 'tool';
      section.replaceChildren(...contentOf(part, answer));
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
function sayingOf(part: Part): string {
  if (part.type === 'text') return part.text;
  return isToolUIPart(part) ? `${part.toolCallId} ${part.state} ${stepOf(part)}` : '';
}

/** The step that a tool is at; undefined once it has replied. */
function stepOf(part: Part): string | undefined {
  if (!isToolUIPart(part) || part.state !== 'output-available' || part.type === 'dynamic-tool') return undefined;
  return part.output.state === 'working' ? part.output.step : undefined;
}

function contentOf(part: Part, answer: (choice: string) => void): readonly (Node | string)[] {
  if (part.type === 'text') return [part.text];
  if (!isToolUIPart(part)) return [];
  const title = element('h2', '', `${getToolName(part)} `, element('q', '', wordsOf(part.input)));
  if (part.state === 'output-error') return [title, element('p', 'problem', part.errorText)];
  if (part.state === 'output-available' && part.type !== 'dynamic-tool' && part.output.state === 'done')
    return [title, ...showReply(part.output, answer)];
  return [title, element('p', 'working', `${stepOf(part) ?? 'begins'} …`)];
}

/** The question, the statement or the words that a tool was called with. */
function wordsOf(input: unknown): string {
  const given = typeof input === 'object' && input !== null ? Object.values(input) : [];
  return given.find((value) => typeof value === 'string') ?? '';
}
