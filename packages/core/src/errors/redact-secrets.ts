/**
 * Shapes of secrets that must never stand in an error, an event or a trace. Every pattern starts at a fixed text or has
 * bounded repetition, so that a long hostile text costs linear time.
 */
const SECRET_PATTERNS: readonly { readonly pattern: RegExp; readonly replacement: string }[] = [
  {
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
    replacement: '[redacted private key]',
  },
  // Vendor keys, by their public prefixes.
  { pattern: /\b(sk|pk|rk|xai)-[A-Za-z0-9_-]{16,}/g, replacement: '$1-[redacted]' },
  { pattern: /\b(sk|pk|rk)_(live|test)_[A-Za-z0-9]{10,}/g, replacement: '$1_$2_[redacted]' },
  { pattern: /\b(gsk|hf|gh[pousr]|github_pat|glpat|xox[abp])([_-])[A-Za-z0-9_-]{16,}/g, replacement: '$1$2[redacted]' },
  { pattern: /\bAIza[0-9A-Za-z_-]{30,}/g, replacement: 'AIza[redacted]' },
  { pattern: /\b(AKIA|ASIA)[0-9A-Z]{16}\b/g, replacement: '$1[redacted]' },
  // A credential has a digit, padding or mixed case inside; "basic information" and "bearer authentication" have not.
  {
    pattern:
      /\b([Bb]earer|BEARER|[Bb]asic|BASIC)(\s{1,4})(?=[A-Za-z0-9._~+/-]{0,400}(?:\d|=|[a-z][A-Z]))[A-Za-z0-9._~+/=-]{8,}/g,
    replacement: '$1$2[redacted]',
  },
  { pattern: /\beyJ[A-Za-z0-9_-]{8,1024}\.[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]*/g, replacement: '[redacted token]' },
  // The password of a URL: scheme://user:password@host. The user may be empty (redis), and slashes may be forgotten.
  {
    pattern: /\b([a-z][a-z0-9+.-]{0,30}:(?:\/\/|[\\/]{0,3}(?=[^\s:/@]))[^\s:/@]{0,200}):[^\s"'<>]{1,400}@/gi,
    replacement: '$1:[redacted]@',
  },
  { pattern: /\b(AccountKey=)[A-Za-z0-9+/=]{20,}/gi, replacement: '$1[redacted]' },
  ...namedSecrets(),
];

/**
 * `name=value`, `name: value`, `"name": "value"` where the name ends in a telling word, also inside a longer one
 * (`DB_PASSWORD`, `PGPASSWORD`, `clientSecret`). A quoted name needs a quoted value: `near "token": syntax error` holds
 * no secret. The value of the word `token` needs a digit, because parsers say "unexpected token: LIMIT".
 */
function namedSecrets(): { pattern: RegExp; replacement: string }[] {
  const names = 'password|passwd|passphrase|pwd|secret|(?:api|access|private|secret)[ _-]?key';
  const separator = '\\s{0,4}[=:]\\s{0,4}';
  const bare = '[^\\s"\',;&)]{3,}';
  const bareWithDigit = '(?=[^\\s"\',;&)]{0,400}\\d)[^\\s"\',;&)]{8,}';
  const quoted = `"[^"\\n]{3,}"|'[^'\\n]{3,}'`;
  const rule = (source: string) => ({ pattern: new RegExp(source, 'gi'), replacement: '$1[redacted]' });
  return [
    rule(`((?:${names}|token)["']?${separator})(?:${quoted})`),
    rule(`((?:${names})${separator})${bare}`),
    rule(`(token${separator})${bareWithDigit}`),
  ];
}

/** Names of fields that hold a secret as a whole. Counts of tokens are numbers, and their names end in `s`. */
const SECRET_NAME = /(?:password|passwd|passphrase|pwd|secret|authorization|(?:api|access|private|secret)[_-]?key)$/i;

/** True when a field holds a secret as a whole, by its name: `apiKey`, `DB_PASSWORD`, `idToken`. */
export function isSecretField(name: string, value: string): boolean {
  if (SECRET_NAME.test(name)) return true;
  return /token$/i.test(name) && value.length >= 8 && /\d/.test(value);
}

/** The text with every recognised secret replaced by `[redacted]`. */
export function redactSecrets(text: string): string {
  let redacted = text;
  // What one rule leaves may fit an earlier one: `password://://"://@`.
  for (let round = 0, before = ''; round < MAX_ROUNDS && redacted !== before; round += 1) {
    before = redacted;
    for (const { pattern, replacement } of SECRET_PATTERNS) redacted = redacted.replace(pattern, replacement);
  }
  return redacted;
}

const MAX_ROUNDS = 4;
