import { SaxesParser } from 'saxes';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** The elements of a document; throws where it is no well-formed XML. */
export function xmlOf(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open: XmlElement[] = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (part) => {
    const current = open.at(-1);
    if (current !== undefined) current.text += part;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root.children[0] ?? root;
}

/** All elements of a name, in the order of the document. */
export function elementsOf(element: XmlElement, name: string): readonly XmlElement[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => elementsOf(child, name))];
}
