document.title += '!'
