;;; types.el --- Which mode files get, and how places look  -*- lexical-binding: t -*-

;;; Commentary:

;; Opens the files of $MSGLS_STORY and reports of each its major mode, and the faces of places.
;; Judges nothing.

;;; Code:

(require 'json)
(require 'msgls)

(defun types-report (file places)
  "The mode of FILE, the faces of PLACES in it, and where its cells are."
  (find-file file)
  (font-lock-ensure)
  (let ((found (make-hash-table :test #'equal)))
    (dolist (place places)
      (goto-char (point-min))
      (when (search-forward place nil t)
        (let ((face (get-text-property (match-beginning 0) 'face)))
          (puthash place (format "%s" face) found))))
    (goto-char (point-min))
    (beginning-of-defun -2)
    `((type . ,(symbol-name major-mode))
      (groups . ,found)
      (second . ,(buffer-substring-no-properties (point) (line-end-position))))))

(let* ((coding-system-for-read 'utf-8-unix)
       (coding-system-for-write 'utf-8-unix)
       (create-lockfiles nil)
       (story (with-temp-buffer
                (insert-file-contents (getenv "MSGLS_STORY"))
                (json-parse-buffer :object-type 'alist :array-type 'list)))
       (report (make-hash-table :test #'equal)))
  (dolist (file (alist-get 'files story))
    (puthash file (types-report file (alist-get 'places story)) report))
  (with-temp-buffer
    (insert (json-serialize report))
    (write-region nil nil (alist-get 'report story) nil 'silent)))

;;; types.el ends here
