// The page's side of the worker: each task is a promise.

/** The engine could not do something. */
export class Failed extends Error {
  constructor({ name, code, message }) {
    super(message)
    this.name = name
    this.code = code
  }
}

export class Engine {
  #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  #waiting = new Map()
  #last = 0

  /** Resolves when the engine is there. */
  ready

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.#waiting.set(0, { resolve, reject })
      this.#worker.onerror = (event) => {
        event.preventDefault()
        const error = new Error(event.message || 'the engine cannot be loaded')
        for (const { reject } of this.#waiting.values()) reject(error)
        this.#waiting.clear()
      }
    })
    this.#worker.onmessage = ({ data: { id, answer, failed } }) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (failed) waiting?.reject(new Failed(failed))
      else waiting?.resolve(answer)
    }
  }

  /** Has the worker do a task of worker.js. */
  do(task, given = {}) {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, task, ...given })
    })
  }
}
