import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The parts of a document that the check uses. */
interface Element {
  readonly textContent: string;
  hidden: boolean;
  value: string;
  click(): void;
}
interface Window {
  readonly document: {
    querySelector(selector: string): Element | null;
    querySelectorAll(selector: string): Iterable<Element>;
  };
  addEventListener(type: 'error', listener: (event: { readonly message: string }) => void): void;
  eval(script: string): void;
  close(): void;
}
type JsDom = new (
  html: string,
  options: { readonly url: string; readonly runScripts: 'outside-only'; readonly pretendToBeVisual: true },
) => { readonly window: Window };

/** The application's page, as a browser shows it. */
export interface Page {
  /** Types a question, and presses the button. */
  ask(question: string): void;
  /** The element; throws where there is none. */
  one(selector: string): Element;
  /** What the elements say. */
  texts(selector: string): readonly string[];
  /** Waits until it holds; rejects after 10 s with what the page says. */
  until(holds: () => boolean, what: string): Promise<void>;
  /** What its script failed with. */
  readonly errors: readonly string[];
  close(): void;
}

const MAX_MS = 10_000;

/** Runs the page that an application serves, with its script as it was built, in the jsdom of the consumer's project. */
export async function openPage(origin: string, project: string): Promise<Page> {
  const { JSDOM } = createRequire(join(project, 'package.json'))('jsdom') as { readonly JSDOM: JsDom };
  const [html, script] = await Promise.all(
    ['', 'page.js'].map(async (path) => (await fetch(`${origin}/${path}`)).text()),
  );
  const { window } = new JSDOM(html ?? '', { url: origin, runScripts: 'outside-only', pretendToBeVisual: true });
  const errors: string[] = [];
  window.addEventListener('error', ({ message }) => errors.push(message));
  // What a browser has and jsdom has not.
  Object.assign(window, {
    ...{ AbortController, ReadableStream, TextDecoderStream, TransformStream, structuredClone },
    fetch: (path: string, options?: RequestInit) => fetch(new URL(path, origin), options),
    scrollTo: () => undefined,
  });
  // It runs no modules: a bundle imports nothing, so it may as well be a function.
  window.eval(`(() => { 'use strict'; ${script} })()`);
  const one = (selector: string): Element => {
    const found = window.document.querySelector(selector);
    if (found === null) throw new Error(`the page has no ${selector}`);
    return found;
  };
  const texts = (selector: string) => [...window.document.querySelectorAll(selector)].map((each) => each.textContent);
  return {
    ...{ one, texts, errors },
    ask(question) {
      one('#question').value = question;
      one('#send').click();
    },
    async until(holds, what) {
      for (const start = Date.now(); !holds(); await wait(10))
        if (Date.now() - start > MAX_MS) throw new Error(`not within 10 s: ${what}. The page says: ${texts('body')}`);
    },
    close: () => window.close(),
  };
}
