/**
 * Shapes of secrets that must never stand in an error, an event or a trace: vendor keys, bearer tokens, passwords in
 * URLs and `key=value` pairs with a telling name.
 */
const SECRET_PATTERNS: readonly { readonly pattern: RegExp; readonly replacement: string }[] = [
  { pattern: /\b(sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, replacement: '$1-[redacted]' },
  { pattern: /\bAIza[0-9A-Za-z_-]{30,}/g, replacement: 'AIza[redacted]' },
  { pattern: /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, replacement: '$1 [redacted]' },
  { pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, replacement: '[redacted token]' },
  { pattern: /([a-z][a-z0-9+.-]*:\/\/[^\s:/@]+):[^\s@/]+@/gi, replacement: '$1:[redacted]@' },
  {
    pattern:
      /\b(password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)(["']?\s*[=:]\s*["']?)([^\s"',;&)]{4,})/gi,
    replacement: '$1$2[redacted]',
  },
  {
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    replacement: '[redacted private key]',
  },
];

/** The text with every recognised secret replaced by `[redacted]`. */
export function redactSecrets(text: string): string {
  let redacted = text;
  for (const { pattern, replacement } of SECRET_PATTERNS) redacted = redacted.replace(pattern, replacement);
  return redacted;
}
