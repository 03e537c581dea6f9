/** Asks, shows what the agent does and says while it does so, and stops it. */
import { byId } from './element.ts';
import { PageChat } from './page-chat.ts';
import { showMessages } from './show-messages.ts';

const list = byId('messages', HTMLElement);
const form = byId('form', HTMLFormElement);
const question = byId('question', HTMLInputElement);
const send = byId('send', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const status = byId('status', HTMLElement);
const problem = byId('problem', HTMLElement);
const again = byId('again', HTMLButtonElement);

let isDrawing = false;
const chat = new PageChat(() => {
  if (!isDrawing) requestAnimationFrame(draw);
  isDrawing = true;
});

function say(text: string): void {
  if (text !== '' && !isBusy()) void chat.sendMessage({ text });
}

const isBusy = (): boolean => chat.status === 'submitted' || chat.status === 'streaming';

function draw(): void {
  isDrawing = false;
  const wasAtEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 40;
  showMessages(list, { messages: chat.messages, isBusy: isBusy(), answer: say });
  status.textContent = isBusy() ? 'The agent is at work …' : '';
  problem.textContent = chat.error?.message ?? '';
  again.hidden = chat.error === undefined;
  send.hidden = isBusy();
  stop.hidden = !isBusy();
  if (wasAtEnd) window.scrollTo(0, document.body.scrollHeight);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (isBusy()) return;
  say(question.value.trim());
  question.value = '';
});
stop.addEventListener('click', () => void chat.stop());
again.addEventListener('click', () => void chat.regenerate());
question.focus();
