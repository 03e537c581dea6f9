import ts from 'typescript';

/** Lines that hold code: no blank lines and no comments, but every line of a text in backticks. */
export function countCodeLines(source: ts.SourceFile): number {
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const start = node.getStart(source);
    if (node.end <= start) return;
    const [first, last] = [lineAt(source, start), lineAt(source, node.end)];
    const children = first === last ? [] : node.getChildren(source);
    if (children.length > 0) children.forEach(visit);
    else for (let line = first; line <= last; line++) lines.add(line);
  };
  visit(source);
  return lines.size;
}

function lineAt(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line;
}
