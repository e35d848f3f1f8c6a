// A click spreads a box over the whole width. Without it the drawing is as readable, at one scale.
(function () {
  const width = 1200, letter = 7.2, all = [...document.querySelectorAll('g[data-w]')];
  function show(x, w) {
    for (const box of all) {
      const left = (box.dataset.x - x) / w * width, right = left + box.dataset.w / w * width;
      const from = Math.max(left, 0), to = Math.min(right, width);
      const rect = box.querySelector('rect'), text = box.querySelector('text'), name = box.dataset.n;
      box.style.display = to - from < 0.2 ? 'none' : '';
      rect.setAttribute('x', from);
      rect.setAttribute('width', Math.max(to - from, 0));
      text.setAttribute('x', from + 3);
      const room = Math.floor((to - from - 6) / letter);
      text.textContent = room < 3 ? '' : name.length > room ? name.slice(0, room - 1) + '\u2026' : name;
    }
  }
  for (const box of all) box.addEventListener('click', () => show(+box.dataset.x, +box.dataset.w));
})();
