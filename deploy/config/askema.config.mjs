/** The configuration of the container; paths are relative to this file. Make keys with `askema serve --new-key NAME`. */
const keys = [
  {
    sha256: process.env.ASKEMA_KEY_SHA256,
    caller: { subject: 'first', scopes: ['ask', 'sql', 'catalog', 'history'] },
  },
];

const { ASKEMA_HOSTS = 'localhost' } = process.env;

export default {
  databases: { store: '../data/store.sqlite' },
  server: {
    auth: { keys },
    // The names by which clients reach it, separated by commas.
    hosts: ASKEMA_HOSTS.split(','),
    limits: { questionsPerMinute: 60 },
  },
};
