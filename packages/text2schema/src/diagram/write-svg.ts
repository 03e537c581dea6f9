import { AskemaError, type Catalog, type ForeignKey, indexSchema, type Schema, type SchemaIndex } from '@askema/core';
import type { Graph, Viz } from '@viz-js/viz';
import { FONT_SIZE, HEAD_TEXT, PADDING, portOf, relationLabel, tableLabel, visible, xmlText } from './diagram-table.ts';

/** What {@link writeSvg} says and how it lays out. */
export interface WriteSvgOptions {
  /** What `<title>` says. Default: how many tables and foreign keys there are. */
  readonly title?: string | undefined;
  /** `right`: tables stand right of those that they refer to; `down`: below them. Default `right`. */
  readonly direction?: 'right' | 'down' | undefined;
}

/** From the middle of a row, where a tiny text stands, to the base line of a text of {@link FONT_SIZE}, in points. */
const BASELINE = 3.8;

/**
 * A schema or catalog as an entity-relationship diagram in SVG: a box for each relation with its attributes, types and
 * marks (PK, FK, UK; `?` where a cell may be NULL), and a line for each foreign key from the key to what refers to it,
 * with the feet of crow's foot notation (`||` exactly one, `o|` at most one, a foot for many). Laid out by Graphviz as
 * WebAssembly: no browser, no installed program. The same schema gives the same text.
 *
 * `<title>` and `<desc>` tell what is drawn to those who do not see it; each box and line has a title of its own. The
 * text is a whole document that may also stand inside of HTML; nothing in it runs or is loaded. A foreign key to what
 * is not in the schema is not drawn; its attributes keep their mark.
 *
 * @throws AskemaError `INPUT_INVALID` for a graph that is too large or too deep for Graphviz; 1,000 tables and a chain
 * of 500 are not.
 */
export async function writeSvg(source: Schema | Catalog, options: WriteSvgOptions = {}): Promise<string> {
  const catalog = 'schema' in source ? source : undefined;
  const schema = 'schema' in source ? source.schema : source;
  const index = indexSchema(source);
  const labels = schema.relations.map(({ id }) => relationLabel(catalog, index, id));
  const nodes = new Map(schema.relations.map(({ id }, position) => [id, `n${position}`]));
  const drawn = schema.foreignKeys.filter((key) => isWhole(index, key));
  const { instance } = await import('@viz-js/viz');
  const viz = await instance();
  const texts: string[] = [];
  const svg = layOut(viz, {
    directed: true,
    graphAttributes: {
      rankdir: options.direction === 'down' ? 'TB' : 'LR',
      nodesep: 0.4,
      ranksep: 1,
      pad: 0.3,
      bgcolor: 'transparent',
      // Large schemas: fewer rounds of improvement, by which 300 tables take half as long.
      nslimit: 2,
      nslimit1: 2,
      mclimit: 0.3,
    },
    nodeAttributes: { shape: 'plain' },
    edgeAttributes: { dir: 'both', color: '#57606a', arrowsize: 0.9 },
    nodes: schema.relations.map(({ id }, position) => ({
      name: `n${position}`,
      attributes: { id: `table${position}`, label: { html: tableLabel(catalog, index, id, texts) } },
    })),
    edges: drawn.map((key, position) => edge(index, nodes, key, position)),
  });
  const title = options.title ?? `${schema.relations.length} tables and ${drawn.length} foreign keys`;
  return accessible(
    withTexts(svg, texts),
    title,
    labels,
    drawn.map((key) => sentence(index, catalog, key)),
  );
}

/** WebAssembly ends without a word about the graph where its memory or its stack does. */
function layOut(viz: Viz, graph: Graph): string {
  try {
    return viz.renderString(graph, { format: 'svg', engine: 'dot' });
  } catch (error) {
    throw new AskemaError(
      'INPUT_INVALID',
      `Graphviz cannot lay out ${graph.nodes?.length ?? 0} tables and ${graph.edges?.length ?? 0} foreign keys. Draw a part of the schema, or take writeMermaid or writeDbml.`,
      { cause: error },
    );
  }
}

function isWhole(index: SchemaIndex, { target, pairs }: ForeignKey): boolean {
  return (
    index.relation(target) !== undefined &&
    pairs.length > 0 &&
    pairs.every(({ from, to }) => index.attribute(from) !== undefined && index.attribute(to) !== undefined)
  );
}

/** From the cell of the key to the cell of the foreign key; of a composite key, its first attributes. */
function edge(index: SchemaIndex, nodes: ReadonlyMap<string, string>, key: ForeignKey, position: number) {
  const [first] = key.pairs;
  const from = first === undefined ? undefined : index.attribute(first.from);
  const to = first === undefined ? undefined : index.attribute(first.to);
  const isSelf = key.relation === key.target;
  const port = (attribute: typeof from, side: 'w' | 'e'): string =>
    attribute === undefined ? 'head' : `${portOf(index, attribute)}${side}:${side}`;
  const attributes = key.pairs.map((pair) => pair.from);
  const primary = index.primaryKey(key.relation)?.attributes ?? [];
  const isRequired = attributes.every((id) => primary.includes(id) || index.isNotNull(id));
  const isOne =
    attributes.some((id) => index.isUnique(id)) ||
    (primary.length > 0 && primary.every((id) => attributes.includes(id)));
  return {
    tail: nodes.get(key.target) ?? '',
    head: nodes.get(key.relation) ?? '',
    attributes: {
      id: `key${position}`,
      tailport: port(to, 'e'),
      headport: port(from, isSelf ? 'e' : 'w'),
      arrowtail: isRequired ? 'teetee' : 'teeodot',
      arrowhead: isOne ? 'teeodot' : 'crowodot',
    },
  };
}

function sentence(index: SchemaIndex, catalog: Catalog | undefined, { relation, target, pairs }: ForeignKey): string {
  const names = (ids: readonly string[]): string =>
    ids.map((id) => visible(index.attribute(id)?.name ?? id)).join(', ');
  const from = names(pairs.map((pair) => pair.from));
  const to = names(pairs.map((pair) => pair.to));
  return `${relationLabel(catalog, index, relation)} (${from}) refers to ${relationLabel(catalog, index, target)} (${to})`;
}

/** The texts in the places of their numbers, at the size that they have. */
function withTexts(svg: string, texts: readonly string[]): string {
  return svg.replace(
    /<text [^>]*?x="([-\d.]+)" y="([-\d.]+)"[^>]*? fill="([^"]*)">t(\d+)<\/text>/g,
    (_, x: string, y: string, fill: string, position: string) => {
      const text = texts[Number(position)] ?? '';
      if (text === '') return '';
      const at = `x="${round(Number(x) + PADDING)}" y="${round(Number(y) + BASELINE)}"`;
      return `<text ${at} fill="${fill}"${fill === HEAD_TEXT ? ' font-weight="bold"' : ''}>${xmlText(text)}</text>`;
    },
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Graphviz titles everything by its own ids; here people read names instead. */
function accessible(svg: string, title: string, tables: readonly string[], keys: readonly string[]): string {
  const description =
    tables.length === 0 ? 'No tables.' : `Tables: ${tables.join(', ')}.${keys.map((key) => ` ${key}.`).join('')}`;
  const body = svg
    .slice(svg.indexOf('<svg'))
    .replace(/^<!--[^\n]*-->\n/gm, '')
    .replace(/(<g id="graph0"[^>]*>\n)<title>[^<]*<\/title>\n/, '$1')
    .replace(
      /(<g id="(table|key)(\d+)" class="\w+">\n)<title>[^<]*<\/title>/g,
      (_, open: string, kind: string, position: string) =>
        `${open}<title>${xmlText((kind === 'table' ? tables : keys)[Number(position)] ?? '')}</title>`,
    );
  const end = body.indexOf('>') + 1;
  const head = body.slice(0, end - 1);
  return `${head} font-family="monospace" font-size="${FONT_SIZE}" xml:space="preserve" role="img" aria-labelledby="diagram-title diagram-desc">\n<title id="diagram-title">${xmlText(title)}</title>\n<desc id="diagram-desc">${xmlText(description)}</desc>${body.slice(end)}`;
}
