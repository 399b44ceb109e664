call msgls#ale#Define('msgmd')
