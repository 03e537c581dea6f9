const UNKNOWN =
  'The certificate of the server is not trusted, because it comes from no authority that is known here: give that of its authority, in the file that NODE_EXTRA_CA_CERTS names, or as `ssl: { ca }` where there is this option.';

/** By the codes of OpenSSL and Node (https://nodejs.org/docs/latest-v22.x/api/tls.html#x509-certificate-error-codes). */
const PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    'The certificate of the server has expired: it has to be renewed there. Check that the clock of this machine is right, too.',
  CERT_NOT_YET_VALID: 'The certificate of the server is not valid yet: check that the clock of this machine is right.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of the server is that of another host: connect by a name that stands in it.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN,
};

/** What is wrong with a server's certificate and what to do, by the code of the error; undefined for other errors. */
export function certificateProblem(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined;
}
