// Loading: what is looked at first, then what is nearest; what has left is cancelled.

const loader = {
  // A browser has six connections to a host, one of which the stream of changes keeps; a list of its own puts the rest in order.
  // Previews never take them all.
  limit: 5, previewLimit: 4, farPreviewLimit: 2, running: new Map(), waiting: new Map(), turns: 0,
  // The time before which a service that was busy is asked for nothing but what the viewer shows.
  pausedUntil: 0, timer: 0,
  // - url: a function, since most addresses are not needed
  // - distance: below 1 for what is seen, and otherwise rows to what is seen; the smallest goes first
  // - take: gets the answer, and resolves once all of it is there; or null, whether that is still wanted, and the status of the refusal,
  //   which is 0 if no answer came or it broke off
  want(key, url, distance, take) {
    const job = this.running.get(key) || this.waiting.get(key);
    if (job) { job.distance = distance; job.take = take; return; }
    this.waiting.set(key, { key, url, distance, take, turn: ++this.turns });
  },
  drop(key) {
    const job = this.running.get(key);
    this.waiting.delete(key);
    if (job) { this.running.delete(key); stats.cancelled++; job.stop.abort(); }
  },
  // Cancels the thumbnails that are not wanted any more. Previews that are on their way come soon, and are kept, unless the grid has left
  // them far behind: they would be made before those that are looked at.
  keepOnly(keys) {
    for (const key of [...this.waiting.keys(), ...this.running.keys()])
      if (!keys.has(key) && (key[0] === 'c' || key[0] === 'p' && (this.waiting.has(key) || previews.isFar(+key.slice(1))))) this.drop(key);
  },
  // Whether a refusal says that there is no such picture, and not only that it cannot be had now.
  isFinal(status) { return [404, 406, 410, 422].includes(status); },
  // Puts a job back that is to be tried again, after a pause that is longer each time.
  later(job, seconds) {
    job.losses = (job.losses || 0) + 1;
    const pause = 1000 * Math.max(seconds, Math.min(60, 2 ** job.losses / 2));
    job.againAt = performance.now() + pause;
    this.waiting.set(job.key, job);
    setTimeout(() => this.pump(), pause + 1);
  },
  pause(milliseconds) {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + milliseconds);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.pausedUntil = 0; grid.plan(); }, this.pausedUntil - performance.now());
  },
  pump() {
    const now = performance.now(), isPaused = now < this.pausedUntil;
    let previewCount = 0;
    for (const key of this.running.keys()) if (key[0] === 'p') previewCount++;
    while (this.running.size < this.limit && this.waiting.size) {
      let next = null;
      for (const job of this.waiting.values()) {
        if (isPaused && job.key[0] !== 'v' || job.againAt > now) continue;
        if (job.key[0] === 'p' && previewCount >= (job.distance < 1 ? this.previewLimit : this.farPreviewLimit)) continue;
        if (!next || job.distance < next.distance || job.distance === next.distance && job.turn > next.turn) next = job;
      }
      if (!next) return;
      if (next.key[0] === 'p') previewCount++;
      this.waiting.delete(next.key);
      this.run(next);
    }
  },
  async run(job) {
    job.stop = new AbortController();
    this.running.set(job.key, job);
    stats.begun++;
    // What the viewer shows is asked for again; the grid asks again by itself for what it lacks.
    let pause = -1;
    try {
      const answer = await fetch(job.url(), {
        signal: job.stop.signal, priority: job.distance < 1 ? 'high' : 'low',
        headers: { 'Thumbwheel-Distance': job.distance < 1 ? '0' : String(Math.round(job.distance)) } });
      if (answer.status === 503) { pause = parseInt(answer.headers.get('retry-after')) || 1; this.pause(1000 * pause); }
      else await job.take(answer.ok ? answer : null, () => this.running.get(job.key) === job, answer.status);
    } catch {
      // Cancelled, or the server is away, or an answer broke off: what is missing is asked for again when it comes back, or later.
      pause = 0;
      if (this.running.get(job.key) === job) job.take(null, () => true, 0);
    }
    if (this.running.get(job.key) !== job) return;
    this.running.delete(job.key);
    if (pause >= 0 && job.key[0] === 'v') this.later(job, pause);
    this.pump();
  }
};
