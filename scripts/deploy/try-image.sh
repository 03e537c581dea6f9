#!/usr/bin/env bash
# Builds deploy/Dockerfile with buildah, which needs no engine, and has the smoke test ask the image: as its user, without
# rights, its files read-only, /state and /tmp alone to write to. Needs root and buildah (Debian: apt-get install buildah).
# Usage: scripts/deploy/try-image.sh BASE (an image with Node 22 and npm; after `pnpm build` and scripts/deploy/pack.ts)
set -euo pipefail
cd "$(dirname "$0")/../.."
export BUILDAH_ISOLATION=chroot SMOKE_KEY=smoke
buildah bud --format docker --build-arg "BASE=$1" --tag askema deploy
container="$(buildah from askema)"
root="$(buildah mount "$container")"
state="$(mktemp -d)"
trap 'buildah rm "$container" >/dev/null; rm -rf "$state"' EXIT
chown 1000:1000 "$state"
hash="$(printf %s "$SMOKE_KEY" | sha256sum | cut -d" " -f1)"

# What an engine does with `docker run --read-only --tmpfs /tmp --user 1000 -v …`, by hand. `exec` all along: SIGTERM
# reaches the server.
run='
root=$1 state=$2; shift 2
bound() { mount --bind "$1" "$root$2"; mount -o "remount,bind,$3" "$root$2"; }
touch "$root/app/data/store.sqlite"
mount --bind "$root" "$root"; mount -t proc proc "$root/proc"; mount -t tmpfs tmpfs "$root/tmp"; mkdir -p "$root/dev"
mount --rbind /dev "$root/dev"
bound deploy/config /app/config ro; bound examples/store.sqlite /app/data/store.sqlite ro; bound "$state" /state rw
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid chroot --userspec=1000:1000 "$root" \
  /usr/bin/env -C /app "$@"'
command=(node --disable-warning=ExperimentalWarning node_modules/askema/dist/main.js
  serve --config config/askema.config.mjs --host 0.0.0.0)
node scripts/smoke-server.mjs http://127.0.0.1:8471 --audit "$state/askema/server/audit.jsonl" -- \
  unshare --mount bash -c "$run" run "$root" "$state" \
  NODE_ENV=production XDG_STATE_HOME=/state ASKEMA_KEY_SHA256="$hash" "${command[@]}"
