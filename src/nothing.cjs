// What a package gets instead of what is never run here: see never-run.ts.
module.exports = {}
