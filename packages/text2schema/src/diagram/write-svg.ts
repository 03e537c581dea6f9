import { AskemaError, type Catalog, type Schema } from '@askema/core';

/** What {@link writeSvg} says and how it lays out. */
export interface WriteSvgOptions {
  /** What `<title>` says. */
  readonly title?: string | undefined;
  /** `right`: targets stand left of what refers to them; `down`: above. Default `right`. */
  readonly direction?: 'right' | 'down' | undefined;
}

/** An entity-relationship diagram as SVG, laid out without a browser. */
export async function writeSvg(_source: Schema | Catalog, _options: WriteSvgOptions = {}): Promise<string> {
  throw new AskemaError('INPUT_INVALID', 'writeSvg is not there yet.');
}
