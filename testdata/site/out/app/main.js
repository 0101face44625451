location.href = "index.html";
